import { type Namespace, type Route, type TokenEntry, route } from '../core/backend';
import type { Cluster } from '../core/cluster';
import { permissionDenied } from '../core/errors';
import { BUILD_DATE } from '../core/flavour';
import type { JsonObject } from '../core/primitives/json';
import { timestamp } from '../core/primitives/clock';

const DISABLED = { mode: 'disabled' };

/** What the server tells about itself, as far as clients ask before they do anything else. */
export function statusRoutes(cluster: Cluster): readonly Route[] {
  const { server, replication } = cluster;
  return [
    route({
      pattern: 'replication/status',
      rootNamespaceOnly: true,
      operations: {
        read: () => ({
          data: server.enterprise
            ? {
                dr: replication.isDrSecondary ? { mode: 'secondary' } : DISABLED,
                performance: replication.status() as JsonObject,
              }
            : DISABLED,
        }),
      },
      help: { synopsis: 'Shows the state of replication.' },
    }),
    route({
      pattern: 'version-history',
      rootNamespaceOnly: true,
      operations: { list: () => ({ data: versionHistory(cluster) }) },
      help: { synopsis: 'Lists the versions that the server has been.' },
    }),
    route({
      pattern: 'seal',
      rootNamespaceOnly: true,
      operations: {
        update: () => {
          cluster.seal();
          return undefined;
        },
      },
      help: { synopsis: 'Seals the cluster.' },
    }),
    route({
      pattern: 'step-down',
      rootNamespaceOnly: true,
      // There is no other node to take over.
      operations: { update: () => undefined },
      help: { synopsis: 'Makes the node give up its active role.' },
    }),
    route({
      pattern: 'internal/ui/namespaces',
      operations: {
        read: ({ namespace, token }) => ({ data: { keys: visibleNamespaces(cluster, namespace, token) } }),
      },
      help: { synopsis: 'Lists namespaces for the user interface.' },
    }),
    ...(server.enterprise ? enterpriseRoutes(cluster) : []),
  ];
}

export const STATUS_ROOT_PATHS = ['seal', 'step-down'];
export const STATUS_UNAUTHENTICATED_PATHS = [
  'replication/status',
  'replication/dr/status',
  'internal/ui/namespaces',
];

function enterpriseRoutes(cluster: Cluster): readonly Route[] {
  return [
    route({
      pattern: 'replication/dr/status',
      rootNamespaceOnly: true,
      operations: { read: () => ({ data: DISABLED }) },
      help: { synopsis: 'Shows the state of disaster recovery replication.' },
    }),
    route({
      pattern: 'license/status',
      rootNamespaceOnly: true,
      operations: { read: () => ({ data: licenseStatus(cluster) }) },
      help: { synopsis: "Shows the server's license." },
    }),
  ];
}

/** The namespaces directly below that a token may do anything in. */
function visibleNamespaces(
  { namespaces, authorizer }: Cluster,
  namespace: Namespace,
  token: TokenEntry | undefined,
): string[] {
  if (token === undefined) throw permissionDenied();
  const acl = authorizer.aclFor(token);
  return namespaces
    .children(namespace)
    .filter(({ path }) => acl.reaches(path))
    .map(({ path }) => path.slice(namespace.path.length));
}

function licenseStatus({ createdAt }: Cluster) {
  const start = timestamp(createdAt);
  return {
    autoloading_used: true,
    persisted_autoload: null,
    autoloaded: {
      license_id: 'emulator',
      customer_id: 'emulator',
      installation_id: '*',
      issue_time: start,
      start_time: start,
      expiration_time: '2099-12-31T23:59:59Z',
      termination_time: '2099-12-31T23:59:59Z',
      features: [
        'HSM',
        'Performance Replication',
        'Namespaces',
        'Sentinel',
        'Automated Snapshots',
        'Key Management',
      ],
    },
  };
}

function versionHistory({ server, createdAt }: Cluster) {
  return {
    keys: [server.version],
    key_info: {
      [server.version]: {
        build_date: BUILD_DATE,
        previous_version: null,
        timestamp_installed: timestamp(createdAt),
      },
    },
  };
}
