import type { RequestFacts } from './facts';

/**
 * Whether an EGP governs a request: one of the EGP's namespace, or of a namespace below it, with a path that the EGP
 * names or that begins as the EGP says. Paths count with the namespaces below the EGP's, and without.
 *
 * @param namespace the path of the EGP's namespace.
 */
export function egpGoverns(
  { namespace, paths }: { readonly namespace: string; readonly paths: readonly string[] },
  request: Pick<RequestFacts, 'namespace' | 'path'>,
): boolean {
  if (!request.namespace.path.startsWith(namespace)) return false;
  const within = request.namespace.path.slice(namespace.length) + request.path;
  return paths.some((path) => covers(path, request.path) || covers(path, within));
}

function covers(written: string, path: string): boolean {
  const governed = written.replace(/^\/+/, '');
  return governed.endsWith('*') ? path.startsWith(governed.slice(0, -1)) : path === governed;
}
