import type { RequestFacts } from './request-facts';

/** The paths to which an EGP applies. */
interface Governed {
  /** The path of the EGP's namespace. */
  readonly namespace: string;
  readonly paths: readonly string[];
}

/**
 * Whether an EGP applies to a request. The request's namespace must be the EGP's, or one below it.
 * The request's path must equal one of the EGP's paths or, if that ends with `*`, begin with the
 * text before the `*`. Paths of an EGP may contain the namespaces below the EGP's, or leave them
 * out.
 *
 * @param listsWithoutSlash whether a path without a final slash also applies to the LIST of the
 *   same path with a final slash. Default: false.
 */
export function egpGoverns(
  { namespace, paths }: Governed,
  request: Pick<RequestFacts, 'namespace' | 'path'> & Partial<Pick<RequestFacts, 'operation'>>,
  listsWithoutSlash = false,
): boolean {
  if (!request.namespace.path.startsWith(namespace)) return false;
  const isList = listsWithoutSlash && request.operation === 'list';
  const asked = isList ? [request.path, request.path.replace(/\/$/, '')] : [request.path];
  const within = request.namespace.path.slice(namespace.length);
  return paths.some((path) => asked.some((each) => covers(path, each) || covers(path, within + each)));
}

function covers(written: string, path: string): boolean {
  const governed = written.replace(/^\/+/, '');
  return governed.endsWith('*') ? path.startsWith(governed.slice(0, -1)) : path === governed;
}
