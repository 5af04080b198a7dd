import { trimmed } from '../../text';

/**
 * Returns a path as the server stores it in a filter: without a leading slash, with one at the end.
 */
export function normalizeFilterPath(path: string): string {
  return `${trimmed(path.trim(), '/')}/`;
}

/** Whether two filters name the same mounts and namespaces, in whatever order and spelling. */
export function sameFilterPaths(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [a, b].map((paths) => new Set(paths.map(normalizeFilterPath)));
  return left!.size === right!.size && [...left!].every((path) => right!.has(path));
}

/**
 * The types of the mounts that every secondary receives, whatever its filter is. In namespaces,
 * their names begin with `ns_`.
 */
export const UNFILTERABLE_MOUNT_TYPES: readonly string[] = ['cubbyhole', 'identity', 'system', 'token'];

/** The paths of those mounts, in every namespace. */
export const UNFILTERABLE_PATHS: readonly string[] = ['auth/token/', 'cubbyhole/', 'identity/', 'sys/'];

/** Returns the mount of a path, if it is one that cannot be filtered in the root namespace. */
export function unfilterablePath(path: string): string | undefined {
  const normalized = normalizeFilterPath(path);
  return UNFILTERABLE_PATHS.find((mount) => normalized.startsWith(mount));
}

/**
 * Returns the same for a path that may be in a namespace: `team-a/sys/`. A mount of that path is
 * possible as well.
 */
export function unfilterableInNamespace(path: string): string | undefined {
  const normalized = normalizeFilterPath(path);
  return UNFILTERABLE_PATHS.find((mount) => normalized.endsWith(`/${mount}`));
}
