import { isStreaming, type ReplicationPrimaryStatus, type ReplicationSecondaryStatus } from '../../client';
import type { ClusterState } from './cluster-state';
import {
  behindPrimary,
  IS_SEALED,
  MERKLE_TREE_CORRUPTED,
  notStreaming,
  replicationInMode,
  secondaryNotConnected,
  severalPrimaries,
} from './messages';
import { OBJECTS } from './objects';
import { primaryOf, setOf, walDistance } from './replication';

/** Something that is wrong. */
export interface Problem {
  /** Absent if it concerns several clusters. */
  readonly cluster?: string;
  readonly text: string;
}

/**
 * Returns what is wrong with clusters, according to their states.
 *
 * @param maxWalDistance how many entries of the primary's log a secondary that streams may lack.
 */
export function problemsOf(clusters: readonly ClusterState[], maxWalDistance: number): readonly Problem[] {
  return [
    ...ofPrimaries(clusters),
    ...clusters.flatMap((cluster) =>
      [
        ...ofCluster(cluster),
        ...ofReplication(cluster, primaryOf(cluster, clusters), maxWalDistance),
        ...OBJECTS.flatMap((kind) => kind.problems(cluster)),
      ].map((text) => ({ cluster: cluster.name, text })),
    ),
  ];
}

/** A set must never have more than one primary. */
function ofPrimaries(clusters: readonly ClusterState[]): readonly Problem[] {
  const sets = new Map<string, ClusterState[]>();
  for (const cluster of clusters) {
    const id = setOf(cluster.replication);
    if (id !== undefined) sets.set(id, [...(sets.get(id) ?? []), cluster]);
  }
  return [...sets].flatMap(([id, members]) => {
    const primaries = members.filter(({ replication }) => replication?.mode === 'primary');
    const names = primaries.map(({ name }) => name);
    return names.length > 1 ? [{ text: severalPrimaries(id, names) }] : [];
  });
}

function ofCluster({ sealed }: ClusterState): readonly string[] {
  return sealed ? [IS_SEALED] : [];
}

function ofReplication(
  { replication: status }: ClusterState,
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
