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

async function below(cluster: Cluster, namespace: string, remarks: Remarks): Promise<readonly string[]> {
  const subject = `namespaces below ${JSON.stringify(namespace)}`;
  const list = await remarks.attempt(cluster.settings.name, subject, async () =>
    (await cluster.client(namespace)).list('sys/namespaces'),
  );
  const children = (list?.data.keys ?? []).map((name) => normalizeNamespace(`${namespace}/${name}`));
  const further = await Promise.all(children.map((child) => below(cluster, child, remarks)));
  return [namespace, ...further.flat()];
}
