/** How many levels and namespaces are read: a server that always lists children would be read forever. */
export const MAX_NAMESPACE_DEPTH = 32;
export const MAX_NAMESPACES = 10_000;

/** Returns a namespace without outer slashes: `ns1/ns2`. The root namespace is the empty string. */
export function normalizeNamespace(namespace: string | null | undefined): string {
  return (namespace ?? '').replace(/^\/+|\/+$/g, '');
}

/** Returns the prefix of the paths in a namespace: `ns1/ns2/`. For the root namespace, it is the empty string. */
export function namespacePrefix(namespace: string | null | undefined): string {
  const normalized = normalizeNamespace(namespace);
  return normalized === '' ? '' : `${normalized}/`;
}
