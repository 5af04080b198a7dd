import { trimmed } from '../../text';

/**
 * Returns a path as the server stores it in a filter: without a leading slash, and with a slash at
 * its end.
 */
export function normalizeFilterPath(path: string): string {
  return `${trimmed(path.trim(), '/')}/`;
}

/**
 * Whether a secondary with a filter receives a namespace with everything in it. All paths are
 * normalized.
 */
export function sendsWholeNamespace(mode: string, paths: readonly string[], namespace: string): boolean {
  return mode === 'allow'
    ? paths.includes(namespace)
    : !paths.some((path) => path.startsWith(namespace) || namespace.startsWith(path));
}

/**
 * Whether two filters name the same mounts and namespaces. Their order and outer slashes may
 * differ.
 */
export function sameFilterPaths(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [a, b].map((paths) => new Set(paths.map(normalizeFilterPath)));
  return left!.size === right!.size && [...left!].every((path) => right!.has(path));
}

/**
 * The types of mounts that every secondary receives, even with a filter. In namespaces, their names
 * begin with `ns_`.
 */
export const UNFILTERABLE_MOUNT_TYPES: readonly string[] = ['cubbyhole', 'identity', 'system', 'token'];

/** The paths of mounts that every secondary receives, in every namespace. */
export const UNFILTERABLE_PATHS: readonly string[] = ['auth/token/', 'cubbyhole/', 'identity/', 'sys/'];

/**
 * Returns the mount of a path if it cannot be filtered; `undefined` otherwise. The path is in the
 * root namespace.
 */
export function unfilterablePath(path: string): string | undefined {
  const normalized = normalizeFilterPath(path);
  return UNFILTERABLE_PATHS.find((mount) => normalized.startsWith(mount));
}

/**
 * Returns the mount of a path in a namespace, such as `team-a/sys/`, if it cannot be filtered. This
 * is not certain, because a mount in the root namespace can have the same path.
 */
export function unfilterableInNamespace(path: string): string | undefined {
  const normalized = normalizeFilterPath(path);
  return UNFILTERABLE_PATHS.find((mount) => normalized.endsWith(`/${mount}`));
}
