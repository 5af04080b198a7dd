import { type LogicalResponse, type Namespace, type Route, type TokenEntry, route } from '../core/backend';
import { codedError, invalidRequest } from '../core/errors';
import type { Decoded, FieldSchemas } from '../core/input/field-schemas';
import type { ClusterParts } from '../core/request/parts';
import { reachableByAccessor } from '../token/accessors';

const PATH_FIELDS = {
  paths: { type: 'comma_string_list', default: [], description: 'Paths to return the capabilities for.' },
  path: { type: 'comma_string_list', default: [], description: "Use 'paths' instead." },
} as const satisfies FieldSchemas;

type Paths = Decoded<typeof PATH_FIELDS>;

export function capabilityRoutes(cluster: ClusterParts): readonly Route[] {
  const capabilities = (namespace: Namespace, token: TokenEntry, data: Paths): LogicalResponse => {
    const paths = data.paths.length > 0 ? data.paths : data.path;
    if (paths.length === 0) throw invalidRequest('paths must be supplied');
    const acl = cluster.authorizer.aclFor(token);
    const found = Object.fromEntries(
      paths.map((path) => [path, [...acl.capabilities(namespace.path + path.replace(/^\//, ''))].sort()]),
    );
    const [only] = paths;
    return { data: { ...found, ...(paths.length === 1 && { capabilities: found[only as string] }) } };
  };
  return [
    route({
      pattern: 'capabilities-self',
      fields: { ...PATH_FIELDS, token: { type: 'string', description: 'Not used.' } },
      operations: {
        update: ({ namespace, token, data }) => {
          if (token === undefined) throw codedError(500, 'no token found');
          return capabilities(namespace, token, data);
        },
      },
      help: { synopsis: 'Shows what the calling token may do on paths.' },
    }),
    route({
      pattern: 'capabilities',
      fields: {
        ...PATH_FIELDS,
        token: { type: 'string', default: '', description: 'The token to look at.' },
      },
      operations: {
        update: ({ namespace, data }) => {
          if (data.token === '') throw codedError(500, 'no token found');
          const token = cluster.tokens.lookup(data.token);
          if (token === undefined) throw codedError(400, 'invalid token');
          return capabilities(namespace, token, data);
        },
      },
      help: { synopsis: 'Shows what a token may do on paths.' },
    }),
    route({
      pattern: 'capabilities-accessor',
      fields: {
        ...PATH_FIELDS,
        accessor: { type: 'string', default: '', description: "The token's accessor." },
      },
      operations: {
        update: ({ namespace, data }) => {
          if (data.accessor === '') throw invalidRequest('missing accessor');
          const token = reachableByAccessor(cluster, namespace, data.accessor);
          if (token === undefined) throw codedError(400, 'invalid accessor');
          return capabilities(namespace, token, data);
        },
      },
      help: { synopsis: 'Shows what the token that has an accessor may do on paths.' },
    }),
  ];
}
