import { posix } from 'node:path';
import { route, type Namespace, type Route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import { uuid } from '../core/primitives/identifiers';
import type { JsonObject } from '../core/primitives/json';
import { MountError } from '../core/routing/mounts';
import type { ClusterParts } from '../core/request/parts';
import { canonicalMountPath, PROTECTED_PATHS } from './enable';

const TOKEN_MOUNT = 'auth/token/';
const STATUS_PREFIX = 'core/mount-moves/';

/**
 * Routes that move mounts, also between namespaces. The move is complete when the request is
 * answered.
 */
export function remountRoutes(cluster: ClusterParts): Route[] {
  return [
    route({
      pattern: 'remount',
      fields: {
        from: { type: 'string', default: '', description: 'The previous mount point.' },
        to: { type: 'string', default: '', description: 'The new mount point.' },
      },
      operations: {
        update: ({ namespace, data: { from, to } }) => {
          if (from === '' || to === '') {
            throw invalidRequest("both 'from' and 'to' path must be specified as a string");
          }
          const id = uuid();
          move(cluster, place(cluster, namespace, from), place(cluster, namespace, to));
          cluster.storage.put(STATUS_PREFIX + id, {
            source_mount: from,
            target_mount: to,
            status: 'success',
          });
          return {
            data: { migration_id: id },
            warnings: [
              "Mount move has been queued. Progress will be reported in Vault's server log, tagged with the " +
                'returned migration_id',
            ],
          };
        },
      },
      help: { synopsis: 'Move the mount point of an already-mounted backend, within or across namespaces' },
    }),
    route({
      pattern: 'remount/status/:migration_id',
      fields: {
        migration_id: { type: 'string', path: true, description: 'The ID of the migration operation' },
      },
      operations: {
        read: ({ data: { migration_id } }) => {
          const info = cluster.storage.get<JsonObject>(STATUS_PREFIX + migration_id);
          return info && { data: { migration_id, migration_info: info } };
        },
      },
      help: { synopsis: 'Check the status of a mount move operation' },
    }),
  ];
}

interface MountLocation {
  readonly namespace: Namespace;
  readonly path: string;
}

/** Returns the namespace and the path in it of a path that may start with namespaces. */
function place({ namespaces }: ClusterParts, from: Namespace, path: string): MountLocation {
  return namespaces.resolve(from.path, canonicalMountPath(path));
}

function move({ mounts }: ClusterParts, from: MountLocation, to: MountLocation): void {
  if (to.path === '/' || to.path === '') throw invalidRequest(`invalid destination mount path "${to.path}"`);
  if (posix.normalize(to.path) !== to.path) {
    throw invalidRequest(
      `invalid destination mount: path '${to.path}' does not match cleaned path '${posix.normalize(to.path)}'`,
    );
  }
  checkProtected(from.path, to.path);
  const entry = mounts.get(from.namespace, from.path)?.entry;
  if (entry === undefined) throw invalidRequest(`no matching mount at "${from.namespace.path}${from.path}"`);
  try {
    mounts.move(entry, to.namespace, to.path);
  } catch (error) {
    throw error instanceof MountError ? invalidRequest(error.message) : error;
  }
}

function checkProtected(from: string, to: string): void {
  if (from.startsWith('auth/') && !to.startsWith('auth/')) {
    throw invalidRequest(`cannot remount auth mount to non-auth mount "${to}"`);
  }
  const prefixes = from.startsWith('auth/') ? [TOKEN_MOUNT] : PROTECTED_PATHS;
  if (prefixes.some((prefix) => from.startsWith(prefix))) throw invalidRequest(`cannot remount "${from}"`);
  if (prefixes.some((prefix) => to.startsWith(prefix))) {
    throw invalidRequest(`cannot remount to destination "${to}"`);
  }
}
