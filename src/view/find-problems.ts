import {
  isStreaming,
  type ReplicationPrimaryStatus,
  type ReplicationSecondaryStatus,
} from '../model/replication/status';
import { groupsByKey } from '../model/groups';
import type { ClusterView } from './cluster-view';
import {
  behindPrimary,
  IS_SEALED,
  MERKLE_TREE_CORRUPTED,
  notStreaming,
  replicationInMode,
  secondaryNotConnected,
  severalPrimaries,
} from './messages';
import { primaryOf, setOf, walDistance } from './replication';

/** A problem of one or several clusters. */
export interface ClusterProblem {
  /** The name of the cluster; absent if the problem concerns several. */
  readonly cluster?: string;
  readonly text: string;
}

/** Returns the problems of replication sets: a set must never have more than one primary. */
export function problemsOfSets(clusters: readonly ClusterView[]): readonly ClusterProblem[] {
  const sets = groupsByKey(clusters, ({ replication }) => setOf(replication));
  return [...sets].flatMap(([id, members]) => {
    if (id === undefined) return [];
    const primaries = members.filter(({ replication }) => replication?.mode === 'primary');
    const names = primaries.map(({ name }) => name);
    return names.length > 1 ? [{ text: severalPrimaries(id, names) }] : [];
  });
}

/**
 * Returns the problems of a cluster and its replication.
 *
 * @param maxWalDistance the number of entries of the primary's log that a streaming secondary may
 *   lack.
 */
export function problemsOfCluster(
  cluster: ClusterView,
  clusters: readonly ClusterView[],
  maxWalDistance: number,
): readonly string[] {
  return [
    ...(cluster.sealed ? [IS_SEALED] : []),
    ...ofReplication(cluster, primaryOf(cluster, clusters), maxWalDistance),
  ];
}

function ofReplication(
  { replication: status }: ClusterView,
  primary: ReplicationPrimaryStatus | undefined,
  maxWalDistance: number,
): readonly string[] {
  if (status?.mode === 'primary') return ofPrimary(status);
  if (status?.mode === 'bootstrapping' || status?.mode === 'unknown') return [replicationInMode(status.mode)];
  if (status?.mode !== 'secondary') return [];

  return [
    ...(status.corrupted_merkle_tree ? [MERKLE_TREE_CORRUPTED] : []),
    ...ofStream(status, primary, maxWalDistance),
  ];
}

function ofStream(
  status: ReplicationSecondaryStatus,
  primary: ReplicationPrimaryStatus | undefined,
  maxWalDistance: number,
): readonly string[] {
  if (!isStreaming(status)) return [notStreaming(status)];
  const behind = primary ? walDistance(status, primary) : 0;
  return behind > maxWalDistance ? [behindPrimary(behind)] : [];
}

function ofPrimary(status: ReplicationPrimaryStatus): readonly string[] {
  const connected = status.secondaries.filter((each) => each.connection_status === 'connected');
  const missing = status.known_secondaries.filter((id) => !connected.some((each) => each.node_id === id));
  return [
    ...(status.corrupted_merkle_tree ? [MERKLE_TREE_CORRUPTED] : []),
    ...missing.map(secondaryNotConnected),
  ];
}
