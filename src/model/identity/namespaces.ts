/** A namespace without outer slashes: `ns1/ns2`. The root namespace is the empty text. */
export function normalizeNamespace(namespace: string | null | undefined): string {
  return (namespace ?? '').replace(/^\/+|\/+$/g, '');
}

/** A namespace as the prefix of the paths in it: `ns1/ns2/`. The root namespace is the empty text. */
export function namespacePrefix(namespace: string | null | undefined): string {
  const normalized = normalizeNamespace(namespace);
  return normalized === '' ? '' : `${normalized}/`;
}
