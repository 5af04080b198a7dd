import { MAX_NAMESPACE_DEPTH, MAX_NAMESPACES, namespacePathProblem, normalizeNamespace } from '../model';

/** How many namespaces are asked at a time for those in them. */
const AT_ONCE = 10;

/** How namespaces are read, and who is told what is left out. */
interface NamespaceReading {
  /** The names in a namespace as the server lists them; none if it does not let them be read. */
  readonly namesIn: (namespace: string) => Promise<readonly string[]>;
  /** The server lists a namespace with a path that none can have. */
  readonly onImpossible: (
    namespace: string,
    problem: NonNullable<ReturnType<typeof namespacePathProblem>>,
  ) => void;
  /** The server lists more than anyone has; the others are left out. */
  readonly onTooMany: () => void;
}

/** What a server lists that is not followed to its end. */
export function tooManyNamespaces(below = ''): string {
  return `more than ${MAX_NAMESPACES} namespaces${below}, or namespaces nested more than ${MAX_NAMESPACE_DEPTH} levels deep`;
}

/** The namespaces below one, those near it first. A server that lists them without end is not followed. */
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
