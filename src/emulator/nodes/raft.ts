import type { EmulatedCluster } from '../cluster';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterNode } from './cluster-nodes';

/** The refusal of a server that does not use Raft storage. */
export const NO_RAFT = 'raft storage is not in use';

/** Whether the cluster uses Raft storage: enterprise servers and servers with standbys do. */
export function hasRaft({ server, nodes }: Pick<EmulatedCluster, 'server' | 'nodes'>): boolean {
  return server.enterprise || nodes.all.length > 1;
}

/** Returns the id of a node in Raft storage. */
export function raftId({ name, nodes }: Pick<EmulatedCluster, 'name' | 'nodes'>, node: ClusterNode): string {
  return `${name}-${nodes.all.indexOf(node) + 1}`;
}

/** Returns the peers for `operator raft list-peers`: all are voters. */
export function raftConfiguration(cluster: EmulatedCluster): JsonObject {
  const { nodes, replication } = cluster;
  const servers = nodes.all.map((node) => ({
    node_id: raftId(cluster, node),
    address: new URL(replication.clusterAddressOf(node)).host,
    leader: !node.isStandby,
    protocol_version: '3',
    voter: true,
  }));
  return { index: 0, config: { index: replication.lastWalOfAll, servers } };
}
