import type { Permissions } from './permissions';

/** A pattern with `+` segments, perhaps with a final `*`; or a prefix, to be compared with such patterns. */
export interface WildcardPath {
  /** Without the final `*`. */
  readonly text: string;
  /** Where the first `+`, or the `*` of a prefix, stands. */
  readonly firstWildcard: number;
  readonly isPrefix: boolean;
  readonly segments: readonly string[];
  /** Number of `+` segments. */
  readonly wildcards: number;
  readonly permissions: Permissions;
}

/** How the path of a rule matches: as it is, as a prefix that ends with `*`, or with `+` for whole segments. */
export function kindOfPath(path: string): 'exact' | 'prefix' | 'segments' {
  if (path === '+' || path.startsWith('+/') || path.includes('/+')) return 'segments';
  return path.endsWith('*') ? 'prefix' : 'exact';
}

export function compileWildcardPath(path: string, permissions: Permissions): WildcardPath {
  const isPrefix = path.endsWith('*');
  const text = isPrefix ? path.slice(0, -1) : path;
  const segments = text.split('/');
  return {
    text,
    firstWildcard: path.indexOf('+'),
    isPrefix,
    segments,
    wildcards: segments.filter((segment) => segment === '+').length,
    permissions,
  };
}

export function matches({ segments: pattern, isPrefix }: WildcardPath, segments: readonly string[]): boolean {
  if (isPrefix ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  const last = pattern.length - 1;
  return pattern.every((expected, index) => {
    const actual = segments[index] ?? '';
    return (
      expected === '+' || expected === actual || (isPrefix && index === last && actual.startsWith(expected))
    );
  });
}

/** Whether the pattern could match something below `folder`, which ends with a slash. */
export function reachesBelow({ segments: pattern, isPrefix }: WildcardPath, folder: string): boolean {
  const segments = folder.split('/').slice(0, -1);
  const last = pattern.length - 1;
  return segments.every((actual, index) => {
    const expected = pattern[index];
    if (expected === undefined) return false;
    return (
      expected === '+' || expected === actual || (isPrefix && index === last && actual.startsWith(expected))
    );
  });
}

/** Whether `a` is the more specific match of two patterns that match the same path. */
export function beats(a: WildcardPath, b: WildcardPath): boolean {
  if (a.firstWildcard !== b.firstWildcard) return a.firstWildcard > b.firstWildcard;
  if (a.isPrefix !== b.isPrefix) return b.isPrefix;
  if (a.wildcards !== b.wildcards) return a.wildcards < b.wildcards;
  if (a.text.length !== b.text.length) return a.text.length > b.text.length;
  return a.text > b.text;
}
