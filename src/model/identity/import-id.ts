import { namespacePathProblem, normalizeNamespace } from './namespace-path';

/** The location of an object: its cluster, namespace and name. */
export interface ObjectIdentity {
  readonly cluster: string;
  /** The namespace without outer slashes; empty for the root namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** An import id that does not identify an object. */
export class ImportIdError extends Error {
  override readonly name = 'ImportIdError';

  constructor(
    /** The problem: `does not contain a cluster name`. */
    readonly problem: string,
    readonly received: string,
    readonly allowed: string,
    readonly cure: string,
  ) {
    super(`import id ${JSON.stringify(received)} ${problem}; allowed: ${allowed}; ${cure}`);
  }
}

/** Returns the full form of an import id: `cluster/ns1/ns2//name`. */
export function formatImportId({ cluster, namespace, name }: ObjectIdentity): string {
  return `${[cluster, normalizeNamespace(namespace)].filter((part) => part !== '').join('/')}//${name}`;
}

/**
 * Parses an import id. In `[cluster/][namespace/]name`, the name is the last segment. In the full
 * form `cluster/namespace//name`, the name may contain slashes.
 *
 * The first segment is the cluster if a cluster has this name. The cluster may be left out if there
 * is only one.
 *
 * @param clusters the names of the configured clusters, at least one.
 * @throws ImportIdError
 */
export function parseImportId(id: string, clusters: readonly string[]): ObjectIdentity {
  const { before, name } = split(id, clusters);
  const [first, ...rest] = before;
  if (first !== undefined && clusters.includes(first))
    return { cluster: first, namespace: checked(rest, id), name };

  const [only, second] = clusters;
  if (only !== undefined && second === undefined)
    return { cluster: only, namespace: checked(before, id), name };

  throw new ImportIdError(
    first === undefined
      ? 'does not contain a cluster name'
      : `contains an unknown cluster ${JSON.stringify(first)}`,
    id,
    `the name of a cluster as the first segment, one of ${clusters.map((cluster) => JSON.stringify(cluster)).join(', ')}`,
    `write ${JSON.stringify(formatImportId({ cluster: only ?? 'cluster', namespace: before.join('/'), name }))} for the object on that cluster`,
  );
}

function checked(names: readonly string[], id: string): string {
  const namespace = names.join('/');
  const problem = namespacePathProblem(namespace);
  if (!problem) return namespace;
  const { received, allowed, cure } = problem;
  throw new ImportIdError(`contains ${received}, which ${problem.problem}`, id, allowed, cure);
}

function split(id: string, clusters: readonly string[]): { before: readonly string[]; name: string } {
  const mark = id.indexOf('//');
  const end = mark >= 0 ? mark : id.lastIndexOf('/');
  const name = id.slice(mark >= 0 ? mark + 2 : end + 1);
  const before = end <= 0 ? [] : id.slice(0, end).split('/');
  if (name === '' || before.includes('') || (mark < 0 && id.startsWith('/'))) {
    throw new ImportIdError(
      name === '' ? 'has no name' : 'has an empty segment',
      id,
      '[cluster/][namespace/]name, or cluster/namespace//name if the name contains slashes',
      `write for example ${JSON.stringify(formatImportId({ cluster: clusters[0] ?? 'cluster', namespace: 'ns1', name: 'ops' }))}`,
    );
  }
  return { before, name };
}
