import type { Cluster } from '../../../provider/clusters/cluster';
import { authorizedClient } from '../../clusters/clients';
import { tokenVariable } from '../../clusters/cluster-names';
import type { Estate, FoundCluster, Kind } from './found';
import { readKeys } from './managed-keys';
import { namespacesOf } from './namespaces';
import { Place } from './place';
import { readPolicies } from './policies';
import type { Reading } from './reading';
import type { Remarks } from './remarks';
import { primaryOf, readSets, readStatuses, type Statuses } from './replication';
import { readAuditDevices } from './audit-devices';
import { readSnapshots } from './auto-snapshots';

interface ReadOptions {
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
  reading: Reading,
): Promise<Estate> {
  const statuses = await readStatuses(clusters, remarks);
  const open = await openOf(clusters, statuses, remarks);
  const found = await Promise.all(
    open.map((cluster) =>
      readCluster(cluster, primaryOf(cluster.settings.name, statuses), options, remarks, reading),
    ),
  );
  const sets = options.kinds.includes('replication') ? await readSets(open, statuses, remarks) : [];
  return { clusters: found, sets };
}

/** Returns the clusters that answer and know the token. For the others, one remark says why they cannot be read. */
async function openOf(
  clusters: readonly Cluster[],
  statuses: Statuses,
  remarks: Remarks,
): Promise<readonly Cluster[]> {
  const open = await Promise.all(
    clusters.map(async (cluster) => statuses.has(cluster.settings.name) && isOpen(cluster, remarks)),
  );
  return clusters.filter((_cluster, i) => open[i]);
}

async function isOpen(cluster: Cluster, remarks: Remarks): Promise<boolean> {
  const { name } = cluster.settings;
  const client = await remarks.attempt(name, 'token', () => authorizedClient(cluster));
  if (client === null) {
    const text = `none is given; set ${tokenVariable(cluster.settings)}`;
    remarks.unread.push({ cluster: name, subject: 'token', text });
  }
  return Boolean(client);
}

/** @param primary of the cluster, if it is a secondary: what replicates is read there. */
async function readCluster(
  cluster: Cluster,
  primary: string | undefined,
  { kinds, namespaces, defaultPolicy }: ReadOptions,
  remarks: Remarks,
  reading: Reading,
): Promise<FoundCluster> {
  const { name } = cluster.settings;
  const replicated = primary !== undefined;
  if (replicated && (kinds.includes('policies') || kinds.includes('managed-keys'))) {
    const text = `they come from the primary, and are adopted there: ${JSON.stringify(primary)}`;
    remarks.notes.push({ cluster: name, subject: 'policies and managed keys', text });
  }
  const places = await Promise.all(
    (await namespacesOf(cluster, namespaces, remarks)).map(
      async (namespace) => new Place(name, namespace, await cluster.client(namespace), remarks, reading),
    ),
  );
  const inAll = async <T>(kind: Kind, skip: boolean, read: (place: Place) => Promise<readonly T[]>) =>
    kinds.includes(kind) && !skip ? (await Promise.all(places.map(read))).flat() : [];
  const [policies, keys, snapshots, auditDevices] = await Promise.all([
    inAll('policies', replicated, (place) => readPolicies(place, defaultPolicy)),
    inAll('managed-keys', replicated, readKeys),
    inAll('snapshots', false, readSnapshots),
    inAll('audit-devices', false, (place) => readAuditDevices(place, replicated)),
  ]);
  return { name, policies, keys, snapshots, auditDevices };
}
