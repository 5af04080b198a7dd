import { route, type LogicalRequest, type MountEntry, type Route } from '../core/backend';
import { LogicalError } from '../core/errors';
import type { JsonObject } from '../core/primitives/json';
import type { ClusterParts } from '../core/request/parts';
import { describeMount, pathInTable } from './describe-mount';
import { canonicalMountPath } from './enable';

/**
 * The routes of `sys/internal/ui/mounts`: the mounts that a caller may see. The Vault CLI reads the
 * version of a KV mount from it.
 */
export function visibleMountRoutes(cluster: ClusterParts): Route[] {
  return [
    route({
      pattern: 'internal/ui/mounts',
      operations: {
        read: (request) => ({
          data: { auth: table(cluster, request, 'auth'), secret: table(cluster, request, 'secret') },
        }),
      },
      help: { synopsis: 'Information about mounts returned according to their tuned visibility.' },
    }),
    route({
      pattern: 'internal/ui/mounts/*path',
      fields: { path: { type: 'string', path: true, description: 'The path of the mount.' } },
      operations: {
        read: ({ namespace, token, data }) => {
          if (token === undefined) throw new LogicalError(403, 'permission denied');
          const path = canonicalMountPath(data.path);
          const place = cluster.namespaces.resolve(namespace.path, path);
          const entry = cluster.mounts.find(place.namespace, place.path)?.entry;
          if (!entry || !cluster.authorizer.aclFor(token).reaches(place.namespace.path + entry.path)) {
            // Hidden and missing mounts have the same answer, so that callers cannot find out which
            // mounts exist.
            throw new LogicalError(
              403,
              `preflight capability check returned 403, please ensure client's policies grant access to path "${path}"`,
            );
          }
          const isElsewhere = place.namespace.id !== namespace.id;
          return {
            data: {
              ...describeMount(entry, cluster.server),
              path: isElsewhere ? place.namespace.path + entry.path : pathInTable(entry),
            },
          };
        },
      },
      help: { synopsis: 'Information about a mount, for callers that may reach something in it.' },
    }),
  ];
}

function table(
  { mounts, authorizer, server }: ClusterParts,
  { namespace, token }: Pick<LogicalRequest, 'namespace' | 'token'>,
  kind: MountEntry['kind'],
): JsonObject {
  const acl = token && authorizer.aclFor(token);
  const isVisible = (entry: MountEntry) =>
    entry.config['listing_visibility'] === 'unauth' || acl?.reaches(namespace.path + entry.path) === true;
  const describe = (entry: MountEntry): JsonObject =>
    token
      ? describeMount(entry, server)
      : { description: entry.description, options: entry.options, type: entry.type };
  return Object.fromEntries(
    mounts
      .list(namespace, kind)
      .filter(isVisible)
      .map((entry) => [pathInTable(entry), describe(entry)]),
  );
}
