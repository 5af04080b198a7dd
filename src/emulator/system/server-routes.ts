import { type Namespace, type Route, type TokenEntry, route } from '../core/backend';
import type { EmulatedCluster } from '../cluster';
import { NEVER_EPOCH } from '../../model';
import { invalidRequest, permissionDenied } from '../core/errors';
import { hasRaft, NO_RAFT, raftConfiguration, raftId } from '../nodes/raft';
import { BUILD_DATE } from '../core/flavour';
import type { JsonObject } from '../core/primitives/json';
import { timestamp } from '../core/primitives/clock';

const DISABLED = { mode: 'disabled' };

/** The routes about the server itself: its versions, license, nodes, replication and sealing. */
export function serverRoutes(cluster: EmulatedCluster): readonly Route[] {
  const { server, replication } = cluster;
  return [
    route({
      pattern: 'replication/status',
      rootNamespaceOnly: true,
      operations: {
        read: () => ({
          data: server.enterprise
            ? {
                dr: drStatus(cluster),
                performance: replication.status() as JsonObject,
              }
            : DISABLED,
        }),
      },
      help: { synopsis: 'Shows the state of replication.' },
    }),
    route({
      pattern: 'version-history',
      rootNamespaceOnly: true,
      operations: { list: () => ({ data: versionHistory(cluster) }) },
      help: { synopsis: 'Lists the versions that the server has run.' },
    }),
    route({
      pattern: 'seal',
      rootNamespaceOnly: true,
      operations: {
        update: () => cluster.seal(),
      },
      help: { synopsis: 'Seals the cluster.' },
    }),
    route({
      pattern: 'step-down',
      rootNamespaceOnly: true,
      operations: {
        update: () => {
          // A single node cannot hand over to another one.
          if (cluster.nodes.all.length === 1) return;
          cluster.nodes.stepDown();
          cluster.replication.interrupt();
        },
      },
      help: { synopsis: 'Makes the node step down.' },
    }),
    route({
      pattern: 'internal/ui/namespaces',
      operations: {
        read: ({ namespace, token }) => ({ data: { keys: visibleNamespaces(cluster, namespace, token) } }),
      },
      help: { synopsis: 'Lists namespaces for the user interface.' },
    }),
    route({
      pattern: 'storage/raft/configuration',
      rootNamespaceOnly: true,
      operations: {
        read: () => {
          if (!hasRaft(cluster)) throw invalidRequest(NO_RAFT);
          return { data: raftConfiguration(cluster) };
        },
      },
      help: { synopsis: 'Lists the peers of Raft storage.' },
    }),
    ...(server.enterprise ? enterpriseRoutes(cluster) : []),
  ];
}

export const SERVER_ROOT_PATHS = [
  'seal',
  'step-down',
  ...['replication/performance', 'replication'].flatMap((prefix) => [
    `${prefix}/reindex`,
    `${prefix}/recover`,
  ]),
];
export const SERVER_UNAUTHENTICATED_PATHS = [
  'replication/status',
  'replication/dr/status',
  'internal/ui/namespaces',
];

function enterpriseRoutes(cluster: EmulatedCluster): readonly Route[] {
  return [
    route({
      pattern: 'replication/dr/status',
      rootNamespaceOnly: true,
      operations: { read: () => ({ data: drStatus(cluster) }) },
      help: { synopsis: 'Shows the state of disaster recovery replication.' },
    }),
    ...['replication/performance', 'replication'].flatMap((prefix) => maintenanceRoutes(prefix, cluster)),
    route({
      pattern: 'ha-status',
      rootNamespaceOnly: true,
      operations: { read: () => ({ data: { nodes: haNodes(cluster) } }) },
      help: { synopsis: 'Lists the nodes of the cluster.' },
    }),
    autopilotStateRoute(cluster),
    route({
      pattern: 'license/status',
      rootNamespaceOnly: true,
      operations: { read: () => ({ data: licenseStatus(cluster) }) },
      help: { synopsis: "Shows the server's license." },
    }),
  ];
}

function drStatus({ replication }: EmulatedCluster): JsonObject {
  return replication.isDrSecondary ? { mode: 'secondary' } : DISABLED;
}

/**
 * The routes that repair replicated data. In the emulator, only the Merkle tree can be corrupted.
 */
function maintenanceRoutes(prefix: string, cluster: EmulatedCluster): readonly Route[] {
  const started = (what: string) => ({
    warnings: [`${what} has been started. Progress is shown in the server's log.`],
  });
  return [
    route({
      pattern: `${prefix}/reindex`,
      rootNamespaceOnly: true,
      fields: {
        diff: { type: 'boolean', description: 'Not used: nothing differs.' },
        force: { type: 'boolean', description: 'Not used: nothing is in the way.' },
        skip_flush: { type: 'boolean', description: 'Not used: nothing is kept back.' },
      },
      operations: {
        update: () => {
          cluster.replication.reindex();
          return started('Reindex');
        },
      },
      help: { synopsis: 'Rebuilds the Merkle tree.' },
    }),
    route({
      pattern: `${prefix}/recover`,
      rootNamespaceOnly: true,
      operations: { update: () => started('Recovery') },
      help: { synopsis: 'Recovers replication.' },
    }),
    route({
      pattern: `${prefix}/merkle-check`,
      rootNamespaceOnly: true,
      operations: {
        read: () => ({ data: { merkle_corruption_report: NOTHING_CORRUPTED } }),
        update: () => ({ data: { merkle_corruption_report: NOTHING_CORRUPTED } }),
      },
      help: { synopsis: 'Compares the Merkle tree with the replicated data.' },
    }),
  ];
}

const NOTHING_CORRUPTED = {
  corrupted_root: false,
  corrupted_tree_map: {},
  last_corruption_check_epoch: String(NEVER_EPOCH),
};

function haNodes({ name, server, nodes, clock, replication }: EmulatedCluster): JsonObject[] {
  const version = server.version.replace(/\+.*/, '');
  return nodes.all.map((node, index) => ({
    hostname: nodes.all.length === 1 ? name : `${name}-${index + 1}`,
    api_address: node.address,
    cluster_address: replication.clusterAddressOf(node),
    active_node: !node.isStandby,
    last_heartbeat: node.isStandby ? timestamp(clock.now()) : null,
    version,
    upgrade_version: version,
    redundancy_zone: '',
  }));
}

/** Returns the child namespaces in which a token has any permission. */
function visibleNamespaces(
  { namespaces, authorizer }: EmulatedCluster,
  namespace: Namespace,
  token: TokenEntry | undefined,
): string[] {
  if (token === undefined) throw permissionDenied();
  const acl = authorizer.aclFor(token);
  return namespaces
    .children(namespace)
    .filter(({ path }) => acl.reaches(path))
    .map(({ path }) => path.slice(namespace.path.length));
}

function licenseStatus({ createdAt }: EmulatedCluster) {
  const start = timestamp(createdAt);
  return {
    autoloading_used: true,
    persisted_autoload: null,
    autoloaded: {
      license_id: 'emulator',
      customer_id: 'emulator',
      installation_id: '*',
      issue_time: start,
      start_time: start,
      expiration_time: '2099-12-31T23:59:59Z',
      termination_time: '2099-12-31T23:59:59Z',
      features: [
        'HSM',
        'Performance Replication',
        'Namespaces',
        'Sentinel',
        'Automated Snapshots',
        'Key Management',
      ],
    },
  };
}

function versionHistory({ server, createdAt }: EmulatedCluster) {
  return {
    keys: [server.version],
    key_info: {
      [server.version]: {
        build_date: BUILD_DATE,
        previous_version: null,
        timestamp_installed: timestamp(createdAt),
      },
    },
  };
}

/** The route for the state of Raft storage: all nodes are healthy voters. */
function autopilotStateRoute(cluster: EmulatedCluster): Route {
  return route({
    pattern: 'storage/raft/autopilot/state',
    rootNamespaceOnly: true,
    operations: { read: () => ({ data: autopilotState(cluster) }) },
    help: { synopsis: 'Shows the state of the Raft nodes.' },
  });
}

function autopilotState(cluster: EmulatedCluster): JsonObject {
  const { server, nodes, createdAt, replication } = cluster;
  const version = server.version.replace(/\+.*/, '');
  const servers = nodes.all.map((node) => {
    const id = raftId(cluster, node);
    return {
      id,
      name: id,
      address: new URL(replication.clusterAddressOf(node)).host,
      node_status: 'alive',
      node_type: 'voter',
      status: node.isStandby ? 'voter' : 'leader',
      healthy: true,
      last_contact: '0s',
      last_term: 1,
      last_index: 1,
      stable_since: timestamp(createdAt),
      version,
      upgrade_version: version,
    };
  });
  const voters = servers.map(({ id }) => id);
  const mayFail = Math.floor((voters.length - 1) / 2);
  return {
    healthy: true,
    failure_tolerance: mayFail,
    optimistic_failure_tolerance: mayFail,
    leader: servers.find(({ status }) => status === 'leader')!.id,
    voters,
    servers: Object.fromEntries(servers.map((each) => [each.id, each])),
    redundancy_zones: {},
    upgrade_info: { status: 'idle', target_version: version, target_version_voters: voters },
  };
}
