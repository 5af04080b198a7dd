import type { Permissions } from './permissions';

/** The properties that determine which of several patterns takes precedence. */
interface PathRank {
  /** The pattern without the final `*`. */
  readonly text: string;
  /** The index of the first `+`, or of the `*` of a prefix. */
  readonly firstWildcard: number;
  readonly isPrefix: boolean;
  /** The number of `+` segments. */
  readonly wildcards: number;
}

/**
 * A pattern with `+` segments and possibly a final `*`. A prefix that is compared with such
 * patterns has this form as well.
 */
export interface WildcardPath extends PathRank {
  /** The path as rules name it. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly permissions: Permissions;
}

/**
 * Returns how the path of a rule matches: literally, as a prefix that ends with `*`, or with `+`
 * for whole segments.
 */
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

/** Whether the pattern could match a path below `folder`, which ends with a slash. */
export function reachesBelow(pattern: WildcardPath, folder: string): boolean {
  const segments = folder.split('/').slice(0, -1);
  return segments.every((segment, index) => fits(pattern, index, segment));
}

/**
 * Whether a segment of a path matches the pattern's segment at the same place. After the pattern's
 * last segment, no segment matches.
 */
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
