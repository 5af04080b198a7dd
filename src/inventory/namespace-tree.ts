import { MAX_NAMESPACE_DEPTH, MAX_NAMESPACES, namespacePathProblem, normalizeNamespace } from '../model';

/** The number of namespaces whose children are listed at the same time. */
const AT_ONCE = 10;

/** The callbacks for reading namespaces, and for reporting those that are left out. */
interface NamespaceReading {
  /**
   * Returns the names in a namespace as the server lists them; none if the server does not permit
   * the list.
   */
  readonly namesIn: (namespace: string) => Promise<readonly string[]>;
  /** Reports that the server lists a namespace with a path that no namespace can have. */
  readonly onImpossible: (
    namespace: string,
    problem: NonNullable<ReturnType<typeof namespacePathProblem>>,
  ) => void;
  /**
   * Reports that the server lists more namespaces than any estate has, and that the rest is left
   * out.
   */
  readonly onTooMany: () => void;
}

/** Returns the message for a server whose list is not read to its end. */
export function tooManyNamespaces(below = ''): string {
  return `more than ${MAX_NAMESPACES} namespaces${below}, or namespaces nested more than ${MAX_NAMESPACE_DEPTH} levels deep`;
}

/**
 * Yields the namespaces below a namespace, nearer ones first. Their number and depth are limited,
 * because a faulty server could list namespaces endlessly.
 */
export async function* namespacesBelow(
  namespace: string,
  reading: NamespaceReading,
): AsyncGenerator<string, void> {
  const found = new Set([namespace]);
  let level: readonly string[] = [namespace];
  for (let depth = 0; level.length > 0 && depth < MAX_NAMESPACE_DEPTH; depth++) {
    const next: string[] = [];
    for (let start = 0; start < level.length; start += AT_ONCE) {
      const parents = level.slice(start, start + AT_ONCE);
      const children = await Promise.all(parents.map((parent) => childrenOf(parent, reading)));
      for (const child of children.flat()) {
        if (found.has(child)) continue;
        if (found.size >= MAX_NAMESPACES) return reading.onTooMany();
        found.add(child);
        next.push(child);
        yield child;
      }
    }
    level = next;
  }
  if (level.length > 0) reading.onTooMany();
}

async function childrenOf(
  namespace: string,
  { namesIn, onImpossible }: NamespaceReading,
): Promise<readonly string[]> {
  const names = await namesIn(namespace);
  const children = [...names].sort().map((name) => normalizeNamespace(`${namespace}/${name}`));
  return children.filter((child) => {
    const problem = namespacePathProblem(child);
    if (problem) onImpossible(child, problem);
    return !problem;
  });
}
