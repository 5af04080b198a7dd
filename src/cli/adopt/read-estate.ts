import type { Cluster } from '../../provider/clusters/cluster';
import { authorizedClient } from '../clusters/clients';
import { namespacesOf } from '../clusters/namespaces-of-cluster';
import { addressOfSet } from './app/replication-stack';
import type { Estate, FoundCluster } from './app/stacks';
import { AdoptedNamespace } from './estate/adopted-namespace';
import type { EstateReads } from './estate/estate-reads';
import type { Remarks } from './estate/remarks';
import { primaryOf, readSets, readStatuses, type Statuses } from './estate/replication-sets';
import { clusterKinds, type Kind } from './kinds';
import type { AdoptReadOptions } from './kinds/kind';

interface EstateOptions extends Pick<AdoptReadOptions, 'defaultPolicy' | 'isManaged'> {
  readonly kinds: readonly Kind[];
  /**
   * The namespaces to read besides the cluster's own, relative to it: names, `*` for all, `team/*`
   * for all below one.
   */
  readonly namespaces: readonly string[];
}

/**
 * Reads an estate, without writing to a server. A failed read becomes a remark, and the rest is
 * read nevertheless.
 */
export async function readEstate(
  clusters: readonly Cluster[],
  options: EstateOptions,
  remarks: Remarks,
  reading: EstateReads,
): Promise<Estate> {
  const statuses = await readStatuses(clusters, remarks);
  const open = await openOf(clusters, statuses, remarks);
  const found = await Promise.all(
    open.map((cluster) =>
      readCluster(cluster, primaryOf(cluster.settings.name, statuses), options, remarks, reading),
    ),
  );
  const sets = options.kinds.includes('replication') ? await readSets(open, statuses, remarks) : [];
  return {
    clusters: found,
    sets: sets.filter(({ primary }) => !options.isManaged(addressOfSet(primary))),
  };
}

/**
 * Returns the clusters that answer and know the token. For the others, one remark says why they
 * cannot be read.
 */
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
    const text = `none is given; set ${cluster.variablePrefix}TOKEN`;
    remarks.unread.push({ cluster: name, subject: 'token', text });
  }
  return Boolean(client);
}

/**
 * @param primary the primary, if the cluster is a secondary: replicated objects are adopted from
 *   the primary.
 */
async function readCluster(
  cluster: Cluster,
  primary: string | undefined,
  { kinds, namespaces, defaultPolicy, isManaged }: EstateOptions,
  remarks: Remarks,
  reading: EstateReads,
): Promise<FoundCluster> {
  const { name } = cluster.settings;
  const replicated = primary !== undefined;
  const wanted = await clusterKinds(kinds);
  const elsewhere = wanted.filter(({ fromPrimary }) => replicated && fromPrimary);
  if (elsewhere.length > 0) {
    const subject = elsewhere.map(({ title }) => title).join(' and ');
    const text = `they come from the primary, and are adopted there: ${JSON.stringify(primary)}`;
    remarks.notes.push({ cluster: name, subject, text });
  }
  const places = await Promise.all(
    (await namespacesOf(cluster, ['', ...namespaces], remarks.of(name))).map(
      async (namespace) =>
        new AdoptedNamespace(name, namespace, await cluster.client(namespace), remarks, reading),
    ),
  );
  const here = wanted.filter((kind) => !elsewhere.includes(kind));
  return {
    name,
    declare: await Promise.all(
      here.map((kind) => kind.find(places, { defaultPolicy, replicated, isManaged })),
    ),
  };
}
