import type { Cluster } from '../cluster';
import { type Route, route } from '../core/backend';
import { timestamp } from '../core/primitives/clock';
import type { JsonObject } from '../core/primitives/json';
import { raftId } from '../nodes/raft';

/** The route for the state of Raft storage: all nodes are healthy voters. */
export function autopilotStateRoute(cluster: Cluster): Route {
  return route({
    pattern: 'storage/raft/autopilot/state',
    rootNamespaceOnly: true,
    operations: { read: () => ({ data: autopilotState(cluster) }) },
    help: { synopsis: 'Shows the state of the Raft nodes.' },
  });
}

function autopilotState(cluster: Cluster): JsonObject {
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
