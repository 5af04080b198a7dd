import { type Namespace, type Route, type TokenEntry, route } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';

export function accessorRoutes({ tokens }: ClusterParts): readonly Route[] {
  return [
    route({
      pattern: 'accessors',
      operations: {
        list: ({ namespace }) => {
          const accessors = tokens.list(namespace).map(({ accessor }) => accessor);
          return { data: { keys: accessors.filter((accessor) => accessor !== '') } };
        },
      },
      help: { synopsis: 'Lists the accessors of all tokens of the namespace.' },
    }),
  ];
}

/** Returns the token with an accessor, if it belongs to `namespace` or to one below. */
export function reachableByAccessor(
  { tokens, namespaces }: ClusterParts,
  namespace: Namespace,
  accessor: string,
): TokenEntry | undefined {
  const token = tokens.byAccessor(accessor);
  const home = token && namespaces.byId(token.namespaceId);
  return home?.path.startsWith(namespace.path) === true ? token : undefined;
}
