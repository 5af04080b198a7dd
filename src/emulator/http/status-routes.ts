import type { Cluster } from '../cluster';
import type { ClusterNode } from '../nodes/cluster-nodes';
import { openRefusal, settled } from '../core/errors';
import { parseBoolean } from '../core/input/fields';
import { timestamp } from '../core/primitives/clock';
import { BUILD_DATE } from '../core/flavour';
import { parseJson, isJsonObject } from '../core/primitives/json';
import { own } from '../../text';
import type { HttpRequest } from './call-reader';
import { type Answer, errorAnswer, jsonAnswer, refusal } from '../core/request/answer';
import {
  cancelGenerateRoot,
  generateRootStatus,
  startGenerateRoot,
  updateGenerateRoot,
} from './generate-root';

type StatusRoute = (cluster: Cluster, request: HttpRequest, body: string, node: ClusterNode) => Answer;

/** What answers without a token, without the envelope, and on sealed clusters too. */
const ROUTES: Readonly<Record<string, Partial<Record<string, StatusRoute>>>> = {
  'sys/health': { GET: health, HEAD: health },
  'sys/seal-status': { GET: sealStatus },
  'sys/leader': { GET: leader },
  'sys/init': { GET: initStatus, PUT: alreadyInitialized, POST: alreadyInitialized },
  'sys/unseal': { PUT: unseal, POST: unseal },
  'sys/generate-root/attempt': {
    GET: generateRootStatus,
    PUT: startGenerateRoot,
    POST: startGenerateRoot,
    DELETE: cancelGenerateRoot,
  },
  'sys/generate-root/update': { PUT: updateGenerateRoot, POST: updateGenerateRoot },
};

/** Those among them that belong to the root namespace. */
const ROOT_NAMESPACE_ONLY = new Set([
  'sys/health',
  'sys/init',
  'sys/unseal',
  'sys/generate-root/attempt',
  'sys/generate-root/update',
]);

/** Whether a request is for one of these paths. */
export function isStatusPath(
  { namespaces }: Pick<Cluster, 'namespaces'>,
  { path, headers }: Pick<HttpRequest, 'path' | 'headers'>,
): boolean {
  return (
    own(ROUTES, path) !== undefined &&
    namespaces.resolve(String(headers['x-vault-namespace'] ?? ''), path).path === path
  );
}

/** @returns `undefined` if the path is none of these. */
export function statusAnswer(
  cluster: Cluster,
  request: HttpRequest,
  body: string,
  node: ClusterNode,
): Answer | undefined {
  const methods = own(ROUTES, request.path);
  if (methods === undefined) return undefined;
  const place = cluster.namespaces.resolve(String(request.headers['x-vault-namespace'] ?? ''), request.path);
  if (place.path !== request.path) return undefined;
  if (place.namespace.path !== '' && ROOT_NAMESPACE_ONLY.has(request.path))
    return errorAnswer(404, 'unsupported path');
  const route = own(methods, request.method);
  return route === undefined ? errorAnswer(405) : route(cluster, request, body, node);
}

function health(cluster: Cluster, { query }: HttpRequest, _body: string, node: ClusterNode): Answer {
  const active = statusCode(query, 'activecode', 200);
  const sealed = statusCode(query, 'sealedcode', 503);
  const isStandbyGood = parseBoolean(query?.get('standbyok') || 'false') === true;
  const isPerfStandbyGood = parseBoolean(query?.get('perfstandbyok') || 'false') === true;
  const standby = isStandbyGood ? active : statusCode(query, 'standbycode', 429);
  const perfStandby = isPerfStandbyGood ? active : statusCode(query, 'performancestandbycode', 473);
  const drSecondary = statusCode(query, 'drsecondarycode', 472);
  const others = ['uninitcode', 'standbycode'];
  const flags = ['standbyok', 'perfstandbyok'];
  if (
    active === undefined ||
    sealed === undefined ||
    standby === undefined ||
    perfStandby === undefined ||
    drSecondary === undefined ||
    others.some((name) => statusCode(query, name, 0) === undefined) ||
    flags.some((name) => parseBoolean(query?.get(name) || 'true') === undefined)
  ) {
    return errorAnswer(400);
  }
  const { server, replication } = cluster;
  const { isDrSecondary } = replication;
  const isServing = replication.isActive && !cluster.sealed;
  const isPerformanceStandby =
    isServing && (replication.isPerformanceStandby || (node.isStandby && server.enterprise));
  const isActive = isServing && !isPerformanceStandby && !node.isStandby;
  const status = () => {
    if (cluster.sealed) return sealed;
    if (isDrSecondary) return drSecondary;
    if (isPerformanceStandby) return perfStandby;
    return isActive ? active : standby;
  };
  const performanceMode = isDrSecondary ? 'disabled' : replication.healthMode;
  return jsonAnswer(status(), {
    initialized: true,
    sealed: cluster.sealed,
    standby: !isActive,
    performance_standby: isPerformanceStandby,
    replication_performance_mode: cluster.sealed ? 'unknown' : performanceMode,
    replication_dr_mode: cluster.sealed ? 'unknown' : isDrSecondary ? 'secondary' : 'disabled',
    server_time_utc: Math.floor(cluster.clock.now() / 1000),
    version: server.version,
    enterprise: server.enterprise,
    ...(!cluster.sealed && { cluster_name: cluster.name, cluster_id: cluster.id }),
    ...(isActive && replication.mode === 'primary' && { last_wal: replication.primary.lastWal }),
    ...(server.enterprise && {
      license: { state: 'autoloaded', expiry_time: '2099-12-31T23:59:59Z', terminated: false },
    }),
    echo_duration_ms: 0,
    clock_skew_ms: 0,
    replication_primary_canary_age_ms: 0,
  });
}

/** A status that the caller would rather get; `undefined` if it is not a number. */
function statusCode(query: URLSearchParams | undefined, name: string, otherwise: number): number | undefined {
  const text = query?.get(name);
  if (text === null || text === undefined) return otherwise;
  return /^\d{3}$/.test(text) ? Number(text) : undefined;
}

function sealStatus(cluster: Cluster): Answer {
  const { sealed, server } = cluster;
  return jsonAnswer(200, {
    type: 'shamir',
    initialized: true,
    sealed,
    t: 1,
    n: 1,
    progress: 0,
    nonce: '',
    version: server.version,
    build_date: BUILD_DATE,
    migration: false,
    ...(!sealed && { cluster_name: cluster.name, cluster_id: cluster.id }),
    recovery_seal: false,
    storage_type: hasRaft(cluster) ? 'raft' : 'inmem',
  });
}

function leader(cluster: Cluster, _request: HttpRequest, _body: string, node: ClusterNode): Answer {
  if (cluster.sealed) return errorAnswer(503, 'Vault is sealed');
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

/** Enterprise servers are nodes of Raft storage, and so are those with standbys. */
function hasRaft({ server, nodes }: Cluster): boolean {
  return server.enterprise || nodes.all.length > 1;
}

function activeNode({ nodes, server, createdAt, replication }: Cluster, node: ClusterNode): object {
  const isStandby = replication.isPerformanceStandby || node.isStandby;
  return {
    ha_enabled: true,
    is_self: !isStandby,
    active_time: timestamp(createdAt),
    leader_address: nodes.active.address,
    leader_cluster_address: replication.clusterAddress,
    performance_standby: isStandby && server.enterprise,
    performance_standby_last_remote_wal: 0,
    ...(replication.mode === 'primary' && { last_wal: replication.primary.lastWal }),
  };
}

function initStatus(): Answer {
  return jsonAnswer(200, { initialized: true });
}

function alreadyInitialized(): Answer {
  return errorAnswer(400, 'Vault is already initialized');
}

function unseal(cluster: Cluster, request: HttpRequest, body: string): Answer {
  const input = readBody(body);
  if (input === undefined)
    return refusal(settled(openRefusal('jsonErrorText', 'the body is not a JSON object'), cluster.server));
  if (input.reset === true)
    return cluster.sealed ? sealStatus(cluster) : errorAnswer(400, 'vault is unsealed');
  if (typeof input.key !== 'string' || input.key === '') {
    return errorAnswer(400, "'key' must be specified in request body as JSON, or 'reset' set to true");
  }
  if (!isKey(input.key)) return errorAnswer(400, "'key' must be a valid hex or base64 string");
  if (!cluster.unseal(input.key)) return errorAnswer(400, 'Unseal failed, invalid key');
  return sealStatus(cluster);
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
