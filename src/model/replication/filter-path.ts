import { trimmed } from '../../text';

/** A path as the server keeps it in a filter: without a leading slash, with one at the end. */
export function normalizeFilterPath(path: string): string {
  return `${trimmed(path.trim(), '/')}/`;
}

/** Whether two filters name the same mounts and namespaces, in whatever order and spelling. */
export function sameFilterPaths(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [a, b].map((paths) => new Set(paths.map(normalizeFilterPath)));
  return left!.size === right!.size && [...left!].every((path) => right!.has(path));
}

/** Types of the mounts that every secondary gets, whatever its filter says. Those of namespaces begin with `ns_`. */
export const UNFILTERABLE_MOUNT_TYPES: readonly string[] = ['cubbyhole', 'identity', 'system', 'token'];

/** Where those mounts are, in every namespace. */
export const UNFILTERABLE_PATHS: readonly string[] = ['auth/token/', 'cubbyhole/', 'identity/', 'sys/'];

/** The mount that a path is at or below, where it is one that cannot be filtered in the root namespace. */
export function unfilterablePath(path: string): string | undefined {
  const normalized = normalizeFilterPath(path);
  return UNFILTERABLE_PATHS.find((mount) => normalized.startsWith(mount));
}

/** The same for a path that may be in a namespace: `team-a/sys/`. A mount of that path is possible as well. */
export function unfilterableInNamespace(path: string): string | undefined {
  const normalized = normalizeFilterPath(path);
  return UNFILTERABLE_PATHS.find((mount) => normalized.endsWith(`/${mount}`));
}
