import type { Permissions } from './permissions';

/** What decides which of several patterns counts. */
interface PathRank {
  /** Without the final `*`. */
  readonly text: string;
  /** Where the first `+`, or the `*` of a prefix, stands. */
  readonly firstWildcard: number;
  readonly isPrefix: boolean;
  /** Number of `+` segments. */
  readonly wildcards: number;
}

/** A pattern with `+` segments, perhaps with a final `*`; or a prefix, to be compared with such patterns. */
export interface WildcardPath extends PathRank {
  /** As rules name it. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly permissions: Permissions;
}

/** How the path of a rule matches: as it is, as a prefix that ends with `*`, or with `+` for whole segments. */
export function kindOfPath(path: string): 'exact' | 'prefix' | 'segments' {
  if (path === '+' || path.startsWith('+/') || path.includes('/+')) return 'segments';
  return path.endsWith('*') ? 'prefix' : 'exact';
}

export function rankOf(path: string): PathRank {
  const isPrefix = path.endsWith('*');
  const text = isPrefix ? path.slice(0, -1) : path;
  if (kindOfPath(path) === 'prefix') return { text, firstWildcard: text.length, isPrefix, wildcards: 0 };
  const wildcards = text.split('/').filter((segment) => segment === '+').length;
  return { text, firstWildcard: path.indexOf('+'), isPrefix, wildcards };
}

export function compileWildcardPath(path: string, permissions: Permissions): WildcardPath {
  const rank = rankOf(path);
  return { ...rank, path, segments: rank.text.split('/'), permissions };
}

/** Whether the pattern could match something below `folder`, which ends with a slash. */
export function reachesBelow(pattern: WildcardPath, folder: string): boolean {
  const segments = folder.split('/').slice(0, -1);
  return segments.every((segment, index) => fits(pattern, index, segment));
}

/** Whether a segment of a path fits the pattern's segment at the same place. Behind the last one, none does. */
function fits({ segments, isPrefix }: WildcardPath, index: number, actual: string): boolean {
  const expected = segments[index];
  if (expected === '+' || expected === actual) return true;
  const isLast = index === segments.length - 1;
  return isPrefix && isLast && actual.startsWith(expected!);
}

/** Whether `a` is the more specific match of two patterns that match the same path. */
export function beats(a: PathRank, b: PathRank): boolean {
  const difference =
    a.firstWildcard - b.firstWildcard ||
    Number(b.isPrefix) - Number(a.isPrefix) ||
    b.wildcards - a.wildcards ||
    a.text.length - b.text.length ||
    Number(a.text > b.text);
  return difference > 0;
}
