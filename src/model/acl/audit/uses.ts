import { byPriority } from '../reasoning/policy-set';
import { matchesPattern, patternOf } from '../reasoning/pattern';
import type { AclOperation } from '../acl';
import { UNCOUNTED } from '../effort';
import type { AuditedRequest } from './entry';

/** The operations of logged requests on one path, or on the paths of a pattern. */
export interface Use {
  /** The path, or the pattern that the caller gave, without the namespace. */
  readonly path: string;
  readonly operations: ReadonlySet<AclOperation>;
  /** The names of the parameters that were sent. */
  readonly parameters: ReadonlySet<string>;
  readonly count: number;
}

/** The number of different paths that are kept. A log with more of them needs patterns. */
export const MOST_PATHS = 100_000;

interface GrowingUse extends Use {
  readonly operations: Set<AclOperation>;
  readonly parameters: Set<string>;
  count: number;
}

/**
 * Collects the operations of requests by their paths, so that memory does not grow with the number
 * of requests.
 */
export class Uses {
  readonly #patterns: readonly { readonly path: string; readonly pattern: ReturnType<typeof patternOf> }[];
  readonly #uses = new Map<string, GrowingUse>();
  readonly #namespaces = new Set<string>();
  #leftOut = 0;

  /**
   * @param patterns paths with `*` and `+`. All requests on a pattern's paths are collected
   * together.
   */
  constructor(patterns: readonly string[] = []) {
    this.#patterns = byPriority(patterns.map((path) => ({ path, pattern: patternOf(path) })));
  }

  add({ request, namespace }: AuditedRequest): void {
    this.#namespaces.add(namespace);
    const path = request.path;
    const segments = path.split('/');
    const key =
      this.#patterns.find(({ pattern }) => matchesPattern(pattern, segments, UNCOUNTED))?.path ?? path;
    const use = this.#uses.get(key) ?? this.#newUse(key);
    if (!use) {
      this.#leftOut++;
      return;
    }
    use.count++;
    use.operations.add(request.operation);
    for (const name of Object.keys(request.data ?? {})) use.parameters.add(name);
  }

  #newUse(path: string): GrowingUse | undefined {
    if (this.#uses.size >= MOST_PATHS) return undefined;
    const use = { path, operations: new Set<AclOperation>(), parameters: new Set<string>(), count: 0 };
    this.#uses.set(path, use);
    return use;
  }

  /** Returns the namespace of all requests; empty if there are several. */
  get namespace(): string {
    const [only = '', ...others] = this.#namespaces;
    return others.length === 0 ? only : '';
  }

  /** Returns the number of requests that were not collected, because there were too many paths. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Returns the uses, sorted by path. */
  list(): readonly Use[] {
    return [...this.#uses.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}
