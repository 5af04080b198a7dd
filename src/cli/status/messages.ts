import {
  haveSameData,
  isStreaming,
  type ReplicationPrimaryStatus,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
} from '../../client';
import type { ClusterState } from './cluster-state';
import { OBJECTS } from './objects';

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

/** There must never be more than one primary of a set, and a set without one takes no writes. */
function ofPrimaries(clusters: readonly ClusterState[]): readonly Problem[] {
  const sets = new Map<string, ClusterState[]>();
  for (const cluster of clusters) {
    const id = setOf(cluster.replication);
    if (id !== undefined) sets.set(id, [...(sets.get(id) ?? []), cluster]);
  }
  return [...sets].flatMap(([id, members]) => {
    const primaries = members.filter(({ replication }) => replication?.mode === 'primary');
    if (primaries.length <= 1) return [];
    const names = primaries.map(({ name }) => JSON.stringify(name)).join(' and ');
    return [{ text: `replication set ${id} has more than one primary: ${names}` }];
  });
}

function ofCluster({ sealed }: ClusterState): readonly string[] {
  return sealed ? ['is sealed'] : [];
}

function ofReplication(
  { replication: status }: ClusterState,
  primary: ReplicationPrimaryStatus | undefined,
  maxWalDistance: number,
): readonly string[] {
  if (status?.mode === 'primary') return ofPrimary(status);
  if (status?.mode === 'bootstrapping' || status?.mode === 'unknown')
    return [`its replication is ${status.mode}`];
  if (status?.mode !== 'secondary') return [];

  return [
    ...(status.corrupted_merkle_tree ? ['its merkle tree is corrupted: check and reindex it'] : []),
    ...ofStream(status, primary, maxWalDistance),
  ];
}

function ofStream(
  status: ReplicationSecondaryStatus,
  primary: ReplicationPrimaryStatus | undefined,
  maxWalDistance: number,
): readonly string[] {
  const { state, connection_state: connection = 'unknown' } = status;
  if (!isStreaming(status)) return [`is not streaming: ${state}, connection ${connection}`];
  const behind = primary ? walDistance(status, primary) : 0;
  return behind > maxWalDistance ? [`is ${behind} WAL entries behind its primary`] : [];
}

/** How many entries of the primary's log a secondary lacks. */
export function walDistance(status: ReplicationSecondaryStatus, primary: ReplicationPrimaryStatus): number {
  // A position stays 0 after a sync, until something is written.
  return haveSameData(status, primary) ? 0 : lastWal(primary) - (status.last_remote_wal ?? 0);
}

function ofPrimary(status: ReplicationPrimaryStatus): readonly string[] {
  const connected = status.secondaries.filter((each) => each.connection_status === 'connected');
  const missing = status.known_secondaries.filter((id) => !connected.some((each) => each.node_id === id));
  return [
    ...(status.corrupted_merkle_tree ? ['its merkle tree is corrupted: check and reindex it'] : []),
    ...missing.map((id) => `secondary ${JSON.stringify(id)} is not connected`),
  ];
}

/** The primary of a secondary's set, if it is among the clusters. */
export function primaryOf(
  cluster: ClusterState,
  clusters: readonly ClusterState[],
): ReplicationPrimaryStatus | undefined {
  const id = setOf(cluster.replication);
  return clusters
    .map(({ replication }) => replication)
    .find((status): status is ReplicationPrimaryStatus => status?.mode === 'primary' && setOf(status) === id);
}

/** The number of the last entry that secondaries should have. */
export function lastWal(primary: ReplicationPrimaryStatus): number {
  return primary.last_performance_wal ?? primary.last_wal ?? 0;
}

function setOf(status: ReplicationStatus | undefined): string | undefined {
  return status?.mode === 'primary' || status?.mode === 'secondary' ? status.cluster_id : undefined;
}
