import { route, type LogicalResponse, type MountEntry, type Namespace, type Route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { describeMount, describeTuning, pathInTable, SINGLETON_TYPES } from './describe-mount';
import { canonicalMountPath, ENABLE_FIELDS, enableMount, PROTECTED_PATHS } from './enable';
import { TUNE_FIELDS, tuneMount } from './tune';

/**
 * The routes of `sys/mounts`: the secrets engines of a namespace. Reads and tuning also take
 * the paths of auth methods, such as `auth/approle`.
 */
export function secretMountRoutes(cluster: ClusterParts): Route[] {
  const { mounts, server } = cluster;
  return [
    list(cluster, 'secret', 'mounts'),
    route({
      pattern: 'mounts/*path',
      fields: ENABLE_FIELDS,
      operations: {
        read: ({ namespace, data }) => {
          const path = canonicalMountPath(data.path);
          const found = mounts.find(namespace, path);
          if (found === undefined) throw invalidRequest(`No secret engine mount at ${path}`);
          return { data: describeMount(found.entry, server) };
        },
        update: ({ namespace, data }) => enableMount(mounts, 'secret', namespace, data),
        delete: ({ namespace, data }) => {
          const path = canonicalMountPath(data.path);
          const entry = mounts.get(namespace, path)?.entry;
          if (entry === undefined) return;
          if (PROTECTED_PATHS.some((prefix) => path.startsWith(prefix))) {
            throw invalidRequest(`cannot unmount "${path}"`);
          }
          mounts.unmount(entry);
        },
      },
      help: { synopsis: 'Mount a new backend at a new path.' },
    }),
    tune(cluster, 'mounts', (path) => path),
  ];
}

/** The routes of `sys/auth`: the auth methods of a namespace. */
export function authMountRoutes(cluster: ClusterParts): Route[] {
  const { mounts, server } = cluster;
  const find = (namespace: Namespace, path: string) =>
    mounts.get(namespace, `auth/${canonicalMountPath(path)}`)?.entry;
  return [
    list(cluster, 'auth', 'auth'),
    route({
      pattern: 'auth/*path',
      fields: ENABLE_FIELDS,
      operations: {
        read: ({ namespace, data }) => {
          const entry = find(namespace, data.path);
          if (entry === undefined) {
            throw invalidRequest(`No auth engine at ${canonicalMountPath(data.path)}`);
          }
          return { data: describeMount(entry, server) };
        },
        update: ({ namespace, data }) => enableMount(mounts, 'auth', namespace, data),
        delete: ({ namespace, data }) => {
          const entry = find(namespace, data.path);
          if (entry === undefined) return;
          if (SINGLETON_TYPES.includes(entry.type)) {
            throw invalidRequest('token credential backend cannot be disabled');
          }
          mounts.unmount(entry);
        },
      },
      help: { synopsis: 'Enable a new credential backend at a path.' },
    }),
    tune(cluster, 'auth', (path) => `auth/${path}`),
  ];
}

function list({ mounts, server }: ClusterParts, kind: MountEntry['kind'], pattern: string): Route {
  return route({
    pattern,
    operations: {
      read: ({ namespace }): LogicalResponse => ({
        data: Object.fromEntries(
          mounts.list(namespace, kind).map((entry) => [pathInTable(entry), describeMount(entry, server)]),
        ),
      }),
    },
    help: { synopsis: 'List the currently mounted backends.' },
  });
}

function tune(cluster: ClusterParts, segment: string, mountPath: (path: string) => string): Route {
  return route({
    pattern: `${segment}/*path/tune`,
    fields: TUNE_FIELDS,
    operations: {
      read: ({ namespace, data }) => {
        const path = canonicalMountPath(mountPath(data.path));
        const found = cluster.mounts.find(namespace, path);
        if (found === undefined) throw invalidRequest(`cannot fetch sysview for path "${path}"`);
        return { data: describeTuning(found.entry) };
      },
      update: ({ namespace, data }) => tuneMount(cluster, namespace, mountPath(data.path), data),
    },
    help: { synopsis: 'Tune the configuration parameters of a mount.' },
  });
}
