import type { Cluster } from '../../../provider/clusters/cluster';
import type { Estate, FoundCluster, Kind } from './found';
import { readKeys } from './managed-keys';
import { namespacesOf } from './namespaces';
import { Place } from './place';
import { readPolicies } from './policies';
import type { Remarks } from './remarks';
import { primaryOf, readSets, readStatuses } from './replication';
import { readSnapshots } from './snapshots';

export interface ReadOptions {
  readonly kinds: readonly Kind[];
  /** Beside the cluster's own, and relative to it: names, `*` for all, `team/*` for all below one. */
  readonly namespaces: readonly string[];
  /** Whether the policy `default` is adopted also as servers ship it. */
  readonly defaultPolicy: boolean;
}

/** Reads an estate. Nothing is written to a server. What fails is remarked, and the rest is read nevertheless. */
export async function readEstate(
  clusters: readonly Cluster[],
  options: ReadOptions,
  remarks: Remarks,
): Promise<Estate> {
  const statuses = await readStatuses(clusters, remarks);
  const found = await Promise.all(
    clusters.map((cluster) =>
      readCluster(cluster, primaryOf(cluster.settings.name, statuses), options, remarks),
    ),
  );
  const sets = options.kinds.includes('replication') ? await readSets(clusters, statuses, remarks) : [];
  return { clusters: found, sets };
}

/** @param primary of the cluster, where it is a secondary: what replicates is read there. */
async function readCluster(
  cluster: Cluster,
  primary: string | undefined,
  { kinds, namespaces, defaultPolicy }: ReadOptions,
  remarks: Remarks,
): Promise<FoundCluster> {
  const { name } = cluster.settings;
  const replicated = primary !== undefined;
  if (replicated && (kinds.includes('policies') || kinds.includes('managed-keys'))) {
    const text = `they come from the primary, and are adopted there: ${JSON.stringify(primary)}`;
    remarks.notes.push({ cluster: name, subject: 'policies and managed keys', text });
  }
  const places = await placesOf(cluster, namespaces, remarks);
  const inAll = async <T>(kind: Kind, skip: boolean, read: (place: Place) => Promise<readonly T[]>) =>
    kinds.includes(kind) && !skip ? (await Promise.all(places.map(read))).flat() : [];
  const [policies, keys, snapshots] = await Promise.all([
    inAll('policies', replicated, (place) => readPolicies(place, defaultPolicy)),
    inAll('managed-keys', replicated, readKeys),
    inAll('snapshots', false, readSnapshots),
  ]);
  return { name, policies, keys, snapshots };
}

/** The namespaces to look into. None where there is no way into the cluster. */
async function placesOf(
  cluster: Cluster,
  asked: readonly string[],
  remarks: Remarks,
): Promise<readonly Place[]> {
  const { name } = cluster.settings;
  const way = await remarks.attempt(name, 'login', () => cluster.client(''));
  if (!way) return [];
  const namespaces = await namespacesOf(cluster, asked, remarks);
  return Promise.all(
    namespaces.map(async (namespace) => new Place(name, namespace, await cluster.client(namespace), remarks)),
  );
}
