import { namespacesBelow, tooManyNamespaces } from '../../inventory';
import { namespacePathProblem, normalizeNamespace } from '../../model';
import { UserError } from '../errors';
import type { Cluster } from '../../provider/clusters/cluster';

/** Matches a pattern that stands for a namespace and all namespaces below it. */
const ALL = /(^|\/)\*$/;

/** Records failed reads, so that a command can continue. */
export interface ReadingNotes {
  /** @returns `undefined` if the server did not permit the read. */
  readonly attempt: <T>(subject: string, read: () => Promise<T>) => Promise<T | undefined>;
  readonly note: (subject: string, text: string) => void;
}

/**
 * Returns the selected namespaces, relative to the cluster's own, sorted and without duplicates.
 *
 * @param asked names; empty for the cluster's own namespace; `*` for it and all namespaces below,
 *   `team/*` for `team` and all below.
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

/** Returns a namespace and all namespaces below it, level by level. */
async function below(cluster: Cluster, namespace: string, notes: ReadingNotes): Promise<readonly string[]> {
  const found = [namespace];
  const children = namespacesBelow(namespace, {
    async namesIn(parent) {
      const list = await notes.attempt(subjectOf(parent), async () =>
        (await cluster.client(parent)).list('sys/namespaces'),
      );
      return list?.data.keys ?? [];
    },
    onImpossible(child, { problem, allowed }) {
      notes.note(`namespace ${JSON.stringify(child)}`, `it ${problem}; allowed: ${allowed}`);
    },
    onTooMany() {
      notes.note(
        subjectOf(namespace),
        `the server lists ${tooManyNamespaces()}; select some with --namespace`,
      );
    },
  });
  for await (const child of children) found.push(child);
  return found;
}

function subjectOf(namespace: string): string {
  return `namespaces below ${JSON.stringify(namespace)}`;
}
