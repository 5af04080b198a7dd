import { normalizeNamespace } from '../../../model';
import type { Cluster } from '../../../provider/clusters/cluster';
import type { Remarks } from './remarks';

/** In place of a namespace: every one below what stands before it. */
const ALL = /(^|\/)\*$/;

/**
 * The namespaces to look into, relative to the cluster's own, which comes first.
 *
 * @param asked names; `*` for all, `team/*` for all below one.
 */
export async function namespacesOf(
  cluster: Cluster,
  asked: readonly string[],
  remarks: Remarks,
): Promise<readonly string[]> {
  const found = await Promise.all(
    asked.map(async (each) => {
      const namespace = normalizeNamespace(each.replace(ALL, ''));
      return ALL.test(each) ? below(cluster, namespace, remarks) : [namespace];
    }),
  );
  return [...new Set(['', ...found.flat()])].sort();
}

/** What lies in one another, from the cluster's own namespace on. A server that always lists a child would have no end. */
const MAX_DEPTH = 32;
const MAX_NAMESPACES = 10_000;

/** The namespace and all below it, level by level. */
async function below(cluster: Cluster, namespace: string, remarks: Remarks): Promise<readonly string[]> {
  const found = new Set([namespace]);
  let level: readonly string[] = [namespace];
  for (let depth = 0; level.length > 0; depth++) {
    const lists = await Promise.all(level.map((each) => childrenOf(cluster, each, remarks)));
    level = lists.flat().filter((each) => !found.has(each));
    for (const each of level) found.add(each);
    if (level.length === 0 || (depth < MAX_DEPTH && found.size <= MAX_NAMESPACES)) continue;
    remarks.unread.push({
      cluster: cluster.settings.name,
      subject: `namespaces below ${JSON.stringify(namespace)}`,
      text:
        `the server lists more than ${MAX_NAMESPACES} namespaces, or more than ${MAX_DEPTH} within one another; ` +
        'select the ones to adopt with --namespace',
    });
    return [...found].slice(0, MAX_NAMESPACES);
  }
  return [...found];
}

async function childrenOf(cluster: Cluster, namespace: string, remarks: Remarks): Promise<readonly string[]> {
  const subject = `namespaces below ${JSON.stringify(namespace)}`;
  const list = await remarks.attempt(cluster.settings.name, subject, async () =>
    (await cluster.client(namespace)).list('sys/namespaces'),
  );
  return (list?.data.keys ?? []).map((name) => normalizeNamespace(`${namespace}/${name}`));
}
