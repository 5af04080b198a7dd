import { setOf } from '../../view/replication';
import type { ClusterState, Lacking } from './cluster-state';

/**
 * Returns the objects that a primary lacks and its secondaries have, of the kinds that are not
 * replicated. After a switchover, these are the objects that exist on the old primary alone.
 * Clusters whose objects could not be read are not compared.
 */
export function lackingOn(cluster: ClusterState, clusters: readonly ClusterState[]): readonly Lacking[] {
  if (cluster.replication?.mode !== 'primary') return [];
  const secondaries = clusters.filter(
    ({ replication }) =>
      replication?.mode === 'secondary' && setOf(replication) === setOf(cluster.replication),
  );
  return secondaries
    .map((secondary) => ({
      than: secondary.name,
      auto_snapshots: missing(names(cluster), names(secondary)),
      audit_devices: missing(paths(cluster), paths(secondary)),
    }))
    .filter(({ auto_snapshots, audit_devices }) => auto_snapshots.length + audit_devices.length > 0);
}

/** Returns the lines for people about what a cluster lacks. */
export function lackingLines(lacking: readonly Lacking[]): readonly string[] {
  return lacking.map(({ than, auto_snapshots, audit_devices }) => {
    const what = [
      ...auto_snapshots.map((name) => `automated snapshot ${name}`),
      ...audit_devices.map((path) => `audit device ${path}`),
    ];
    return `lacks what secondary ${than} has: ${what.join(', ')}`;
  });
}

function missing(
  own: readonly string[] | undefined,
  others: readonly string[] | undefined,
): readonly string[] {
  return own === undefined || others === undefined ? [] : others.filter((each) => !own.includes(each));
}

function names({ auto_snapshots }: ClusterState): readonly string[] | undefined {
  return auto_snapshots?.map(({ name }) => name);
}

function paths({ audit_devices }: ClusterState): readonly string[] | undefined {
  return audit_devices?.map(({ path }) => path);
}
