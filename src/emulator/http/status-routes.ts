import type { EmulatedCluster } from '../cluster';
import type { ClusterNode } from '../nodes/cluster-nodes';
import { openRefusal, settled } from '../core/errors';
import { parseBoolean } from '../core/input/field-schemas';
import { timestamp } from '../core/primitives/clock';
import { BUILD_DATE } from '../core/flavour';
import { hasRaft, NO_RAFT } from '../nodes/raft';
import { parseJson, isJsonObject } from '../core/primitives/json';
import { own } from '../../text';
import type { CompleteHttpRequest } from './call-reader';
import { type HttpAnswer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';
import { initialize, initStatus, sealType } from './initialize';
import {
  cancelGenerateRoot,
  generateRootStatus,
  startGenerateRoot,
  updateGenerateRoot,
} from './generate-root';

type StatusRoute = (
  cluster: EmulatedCluster,
  request: CompleteHttpRequest,
  body: string,
  node: ClusterNode,
) => HttpAnswer | Promise<HttpAnswer>;

/** The routes that need no token, have no envelope, and also work on sealed clusters. */
const ROUTES: Readonly<Record<string, Partial<Record<string, StatusRoute>>>> = {
  'sys/health': { GET: health, HEAD: health },
  'sys/seal-status': { GET: sealStatus },
  'sys/leader': { GET: leader },
  'sys/init': { GET: initStatus, PUT: initialize, POST: initialize },
  'sys/unseal': { PUT: unseal, POST: unseal },
  'sys/generate-root/attempt': {
    GET: generateRootStatus,
    PUT: startGenerateRoot,
    POST: startGenerateRoot,
    DELETE: cancelGenerateRoot,
  },
  'sys/generate-root/update': { PUT: updateGenerateRoot, POST: updateGenerateRoot },
  'sys/storage/raft/join': { PUT: joinRaft, POST: joinRaft },
};

/** The routes that only exist in the root namespace. */
const ROOT_NAMESPACE_ONLY = new Set([
  'sys/health',
  'sys/init',
  'sys/unseal',
  'sys/generate-root/attempt',
  'sys/generate-root/update',
  'sys/storage/raft/join',
]);

/** Whether a request is for a path of these routes. */
export function isStatusPath(
  { namespaces }: Pick<EmulatedCluster, 'namespaces'>,
  { path, headers }: Pick<CompleteHttpRequest, 'path' | 'headers'>,
): boolean {
  return (
    own(ROUTES, path) !== undefined &&
    namespaces.resolve(String(headers['x-vault-namespace'] ?? ''), path).path === path
  );
}

/** @returns `undefined` if the path has none of these routes. */
export function statusAnswer(
  cluster: EmulatedCluster,
  request: CompleteHttpRequest,
  body: string,
  node: ClusterNode,
): HttpAnswer | Promise<HttpAnswer> | undefined {
  const methods = own(ROUTES, request.path);
  if (methods === undefined) return undefined;
  const place = cluster.namespaces.resolve(String(request.headers['x-vault-namespace'] ?? ''), request.path);
  if (place.path !== request.path) return undefined;
  if (place.namespace.path !== '' && ROOT_NAMESPACE_ONLY.has(request.path))
    return errorAnswer(404, 'unsupported path');
  const route = own(methods, request.method);
  return route === undefined ? errorAnswer(405) : route(cluster, request, body, node);
}

function health(
  cluster: EmulatedCluster,
  { query }: CompleteHttpRequest,
  _body: string,
  node: ClusterNode,
): HttpAnswer {
  const codes = healthCodes(query);
  if (!codes) return errorAnswer(400);
  const { server, replication } = cluster;
  const { isDrSecondary } = replication;
  const isSealed = cluster.sealed || node.isSealed;
  const isServing = replication.isActive && !isSealed;
  const isPerformanceStandby =
    isServing && (replication.isPerformanceStandby || (node.isStandby && server.enterprise));
  const isActive = isServing && !isPerformanceStandby && !node.isStandby;
  const status = () => {
    if (!cluster.initialized) return codes.uninitcode;
    if (isSealed) return codes.sealedcode;
    if (isDrSecondary) return codes.drsecondarycode;
    if (isPerformanceStandby) return codes.performancestandbycode;
    return isActive ? codes.activecode : codes.standbycode;
  };
  const performanceMode = isDrSecondary
    ? server.assumed('healthOfDrSecondary').performanceMode
    : replication.healthMode;
  return jsonAnswer(status(), {
    initialized: cluster.initialized,
    sealed: isSealed,
    standby: !isActive,
    performance_standby: isPerformanceStandby,
    replication_performance_mode: isSealed ? 'unknown' : performanceMode,
    replication_dr_mode: isSealed ? 'unknown' : isDrSecondary ? 'secondary' : 'disabled',
    server_time_utc: Math.floor(cluster.clock.now() / 1000),
    version: server.version,
    enterprise: server.enterprise,
    ...(!isSealed && { cluster_name: cluster.name, cluster_id: cluster.id }),
    ...(isActive && replication.mode === 'primary' && { last_wal: replication.lastWalOfAll }),
    ...(server.enterprise && {
      license: { state: 'autoloaded', expiry_time: '2099-12-31T23:59:59Z', terminated: false },
    }),
    echo_duration_ms: 0,
    clock_skew_ms: 0,
    replication_primary_canary_age_ms: 0,
  });
}

/** The parameters for the status of each state of a node, and the status without the parameter. */
const HEALTH_CODES = {
  activecode: 200,
  sealedcode: 503,
  standbycode: 429,
  performancestandbycode: 473,
  drsecondarycode: 472,
  uninitcode: 501,
};

/** Returns the statuses that a query requests; `undefined` if a parameter is not valid. */
function healthCodes(query: URLSearchParams | undefined): typeof HEALTH_CODES | undefined {
  const codes = { ...HEALTH_CODES };
  for (const name of Object.keys(codes) as (keyof typeof codes)[]) {
    const text = query?.get(name) ?? String(codes[name]);
    if (!/^\d{3}$/.test(text)) return undefined;
    codes[name] = Number(text);
  }
  const isStandbyGood = parseBoolean(query?.get('standbyok') || 'false');
  const isPerfStandbyGood = parseBoolean(query?.get('perfstandbyok') || 'false');
  if (isStandbyGood === undefined || isPerfStandbyGood === undefined) return undefined;
  if (isStandbyGood) codes.standbycode = codes.activecode;
  if (isPerfStandbyGood) codes.performancestandbycode = codes.activecode;
  return codes;
}

function sealStatus(
  cluster: EmulatedCluster,
  _request: CompleteHttpRequest,
  _body: string,
  node: ClusterNode,
): HttpAnswer {
  const { server, initialized, sealKeys } = cluster;
  const { shares, threshold } = sealKeys;
  const sealed = cluster.sealed || node.isSealed;
  return jsonAnswer(200, {
    type: sealType(cluster),
    initialized,
    sealed,
    t: initialized ? threshold : 0,
    n: initialized ? shares : 0,
    progress: cluster.unsealProgress(node),
    nonce: '',
    version: server.version,
    build_date: BUILD_DATE,
    migration: false,
    ...(!sealed && { cluster_name: cluster.name, cluster_id: cluster.id }),
    recovery_seal: cluster.sealKind === 'auto',
    storage_type: hasRaft(cluster) ? 'raft' : 'inmem',
  });
}

function leader(
  cluster: EmulatedCluster,
  _request: CompleteHttpRequest,
  _body: string,
  node: ClusterNode,
): HttpAnswer {
  if (cluster.sealed || node.isSealed) return errorAnswer(503, 'Vault is sealed');
  if (hasRaft(cluster)) return jsonAnswer(200, activeNode(cluster, node));
  return jsonAnswer(200, {
    ha_enabled: false,
    is_self: false,
    active_time: '0001-01-01T00:00:00Z',
    leader_address: '',
    leader_cluster_address: '',
    performance_standby: false,
    performance_standby_last_remote_wal: 0,
  });
}

/** Answers a request to join Raft storage. The nodes of the emulator have always joined. */
function joinRaft(cluster: EmulatedCluster): HttpAnswer {
  return hasRaft(cluster) ? jsonAnswer(200, { joined: true }) : errorAnswer(400, NO_RAFT);
}

function activeNode({ nodes, server, createdAt, replication }: EmulatedCluster, node: ClusterNode): object {
  const isStandby = replication.isPerformanceStandby || node.isStandby;
  const { lastWalOfAll } = replication;
  return {
    ha_enabled: true,
    is_self: !isStandby,
    active_time: timestamp(createdAt),
    leader_address: nodes.active.address,
    leader_cluster_address: replication.clusterAddressOf(nodes.active),
    performance_standby: isStandby && server.enterprise,
    performance_standby_last_remote_wal: isStandby && server.enterprise ? lastWalOfAll : 0,
    ...(replication.mode === 'primary' && !isStandby && { last_wal: lastWalOfAll }),
    raft_committed_index: lastWalOfAll,
    raft_applied_index: lastWalOfAll,
  };
}

function unseal(
  cluster: EmulatedCluster,
  request: CompleteHttpRequest,
  body: string,
  node: ClusterNode,
): HttpAnswer {
  const input = readBody(body);
  const isSealed = cluster.sealed || node.isSealed;
  if (input === undefined)
    return refusal(settled(openRefusal('jsonErrorText', 'the body is not a JSON object'), cluster.server));
  if (!cluster.initialized) return errorAnswer(400, 'Vault is not initialized');
  if (input.reset === true) {
    cluster.resetUnsealing(node);
    return isSealed ? sealStatus(cluster, request, body, node) : errorAnswer(400, 'vault is unsealed');
  }
  if (typeof input.key !== 'string' || input.key === '') {
    return errorAnswer(400, "'key' must be specified in request body as JSON, or 'reset' set to true");
  }
  if (!isKey(input.key)) return errorAnswer(400, "'key' must be a valid hex or base64 string");
  // A node that is not sealed does not check the key.
  if (isSealed && !cluster.takeShare(input.key, node)) return errorAnswer(400, 'Unseal failed, invalid key');
  return sealStatus(cluster, request, body, node);
}

function readBody(body: string) {
  try {
    const input = parseJson(body || '{}');
    return isJsonObject(input) ? input : undefined;
  } catch {
    return undefined;
  }
}

function isKey(text: string): boolean {
  return /^(?:[0-9a-f]{2})+$/i.test(text) || /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
