import {
  haveSameData,
  type ReplicationPrimaryStatus,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
} from '../model/replication/status';
import type { ClusterView } from './cluster-view';

/** Returns the id of the set that a cluster is in. */
export function setOf(status: ReplicationStatus | undefined): string | undefined {
  return status?.mode === 'primary' || status?.mode === 'secondary' ? status.cluster_id : undefined;
}

/** Returns the primary of a secondary's set, if it is among the clusters. */
export function primaryOf(
  cluster: ClusterView,
  clusters: readonly ClusterView[],
): ReplicationPrimaryStatus | undefined {
  const id = setOf(cluster.replication);
  return clusters
    .map(({ replication }) => replication)
    .find((status): status is ReplicationPrimaryStatus => status?.mode === 'primary' && setOf(status) === id);
}

/** Returns the number of the last entry that secondaries should have. */
export function lastWal(primary: ReplicationPrimaryStatus): number {
  return primary.last_performance_wal ?? primary.last_wal ?? 0;
}

/** Returns the number of entries of the primary's log that a secondary lacks. */
export function walDistance(status: ReplicationSecondaryStatus, primary: ReplicationPrimaryStatus): number {
  // After a sync, the position is 0 until the first write.
  return haveSameData(status, primary) ? 0 : lastWal(primary) - (status.last_remote_wal ?? 0);
}
