import type { ReplicationPrimaryStatus, ReplicationStatus, StoredPathsFilter } from '../../../client';
import type { Cluster } from '../../../provider/clusters/cluster';
import { replicationStatus } from '../../clusters/replication-status';
import { rootClient } from '../../clusters/clients';
import type { Remarks } from './remarks';

/** A replication set whose primary was among the clusters. */
export interface FoundSet {
  readonly primary: string;
  /** The cluster address for secondaries; empty for the server's own setting. */
  readonly primaryClusterAddr: string;
  readonly secondaries: readonly FoundSecondary[];
}

export interface FoundSecondary {
  readonly cluster: string;
  readonly id: string;
  readonly filter?: StoredPathsFilter;
}

/**
 * The replication status of clusters, by their names. A status that could not be read is absent.
 */
export type Statuses = ReadonlyMap<string, ReplicationStatus>;

export async function readStatuses(clusters: readonly Cluster[], remarks: Remarks): Promise<Statuses> {
  const statuses = await Promise.all(
    clusters.map(async (cluster) => {
      const { name } = cluster.settings;
      return [
        name,
        await remarks.attempt(name, 'replication status', () => replicationStatus(cluster.anonymous())),
      ] as const;
    }),
  );
  return new Map(statuses.filter((entry): entry is [string, ReplicationStatus] => entry[1] !== undefined));
}

/**
 * Returns the primary of a secondary, if it is among the clusters: all replicated objects are
 * adopted from the primary.
 */
export function primaryOf(cluster: string, statuses: Statuses): string | undefined {
  const status = statuses.get(cluster);
  if (status?.mode !== 'secondary') return undefined;
  return [...statuses].find(
    ([, other]) => other.mode === 'primary' && other.cluster_id === status.cluster_id,
  )?.[0];
}

/** Returns the sets whose primaries are among the clusters. */
export async function readSets(
  clusters: readonly Cluster[],
  statuses: Statuses,
  remarks: Remarks,
): Promise<readonly FoundSet[]> {
  const sets = await Promise.all(
    clusters.map(async (cluster) => {
      const status = statuses.get(cluster.settings.name);
      return status?.mode === 'primary' ? readSet(cluster, status, statuses, remarks) : undefined;
    }),
  );
  return sets.filter((set) => set !== undefined);
}

/**
 * @returns `undefined` if a paths filter could not be read: a plan without the filter would remove
 *   it.
 */
async function readSet(
  primary: Cluster,
  status: ReplicationPrimaryStatus,
  statuses: Statuses,
  remarks: Remarks,
): Promise<FoundSet | undefined> {
  const { name } = primary.settings;
  const present = [...statuses].flatMap(([cluster, each]) =>
    each.mode === 'secondary' && each.cluster_id === status.cluster_id
      ? [{ cluster, id: each.secondary_id || cluster }]
      : [],
  );
  for (const id of status.known_secondaries) {
    if (present.some((secondary) => secondary.id === id)) continue;
    const text = 'its cluster was not read; add it with --cluster to include it in the set';
    remarks.notes.push({ cluster: name, subject: `secondary ${JSON.stringify(id)}`, text });
  }

  const secondaries = await Promise.all(
    present.map((secondary) =>
      remarks.attempt(name, `paths filter ${JSON.stringify(secondary.id)}`, async () => {
        const client = await rootClient(primary);
        const filter = await client.replication.performance.readPathsFilter(secondary.id);
        return { ...secondary, ...(filter && { filter: filter.data }) };
      }),
    ),
  );
  if (secondaries.includes(undefined)) {
    const text =
      'it is not in the app, since the first plan would remove the paths filters that could not be read';
    remarks.unread.push({ cluster: name, subject: 'replication set', text });
    return undefined;
  }
  return {
    primary: name,
    primaryClusterAddr: status.primary_cluster_addr,
    secondaries: secondaries as FoundSecondary[],
  };
}
