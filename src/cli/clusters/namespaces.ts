import { MAX_NAMESPACE_DEPTH, MAX_NAMESPACES, namespacePathProblem, normalizeNamespace } from '../../model';
import { UserError } from '../errors';
import type { Cluster } from '../../provider/clusters/cluster';

/** Stands for all namespaces below the path before it. */
const ALL = /(^|\/)\*$/;

/** Records failed reads, so that a command can continue. */
export interface ReadingNotes {
  /** @returns `undefined` if the server did not let it be read. */
  readonly attempt: <T>(subject: string, read: () => Promise<T>) => Promise<T | undefined>;
  readonly note: (subject: string, text: string) => void;
}

/**
 * Returns the selected namespaces, relative to the cluster's own, sorted and without duplicates.
 *
 * @param asked names; empty for the cluster's own; `*` for that one and all below it, `team/*` for one and all below it.
 */
export async function namespacesOf(
  cluster: Cluster,
  asked: readonly string[],
  notes: ReadingNotes,
): Promise<readonly string[]> {
  const found = await Promise.all(
    asked.map(async (each) => {
      const namespace = normalizeNamespace(each.replace(ALL, ''));
      const problem = namespacePathProblem(namespace);
      if (problem) {
        throw new UserError(
          `--namespace ${JSON.stringify(each)} ${problem.problem}\nAllowed: ${problem.allowed}; "*" at the end for all below.`,
        );
      }
      return ALL.test(each) ? below(cluster, namespace, notes) : [namespace];
    }),
  );
  return [...new Set(found.flat())].sort();
}

/** The namespace and all below it, level by level. */
async function below(cluster: Cluster, namespace: string, notes: ReadingNotes): Promise<readonly string[]> {
  const found = new Set([namespace]);
  let level: readonly string[] = [namespace];
  for (let depth = 0; level.length > 0; depth++) {
    const lists = await Promise.all(level.map((each) => childrenOf(cluster, each, notes)));
    level = lists.flat().filter((each) => !found.has(each));
    for (const each of level) found.add(each);
    if (level.length === 0 || (depth < MAX_NAMESPACE_DEPTH && found.size <= MAX_NAMESPACES)) continue;
    notes.note(
      subjectOf(namespace),
      `the server lists more than ${MAX_NAMESPACES} namespaces, or namespaces nested more than ${MAX_NAMESPACE_DEPTH} levels deep; ` +
        'select some with --namespace',
    );
    return [...found].slice(0, MAX_NAMESPACES);
  }
  return [...found];
}

async function childrenOf(
  cluster: Cluster,
  namespace: string,
  notes: ReadingNotes,
): Promise<readonly string[]> {
  const list = await notes.attempt(subjectOf(namespace), async () =>
    (await cluster.client(namespace)).list('sys/namespaces'),
  );
  return (list?.data.keys ?? []).flatMap((name) => {
    const child = normalizeNamespace(`${namespace}/${name}`);
    const problem = namespacePathProblem(child);
    if (!problem) return [child];
    notes.note(`namespace ${JSON.stringify(child)}`, `it ${problem.problem}; allowed: ${problem.allowed}`);
    return [];
  });
}

function subjectOf(namespace: string): string {
  return `namespaces below ${JSON.stringify(namespace)}`;
}
