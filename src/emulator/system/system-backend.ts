import {
  raftSnapshotRoutes,
  SNAPSHOT_ROOT_PATHS,
  snapshotLoadRoutes,
  snapshotRoutes,
} from '../auto-snapshots';
import type { BackendFactory } from '../core/backend';
import type { EmulatedCluster } from '../cluster';
import { type KeyOperations, managedKeyRoutes } from '../managed-keys';
import { mfaRoutes } from './mfa-methods';
import { MOUNT_ROOT_PATHS, mountRoutes, MOUNT_UNAUTHENTICATED_PATHS } from '../mounts/mount-routes';
import { aclPolicyRoutes } from './acl-policies';
import { AUDIT_ROOT_PATHS, auditRoutes } from './audit-device-routes';
import { capabilityRoutes } from './capabilities';
import { LEASE_ROOT_PATHS, leaseRoutes } from './leases';
import { legacyPolicyRoutes } from './legacy-policies';
import { namespaceRoutes } from './namespace-routes';
import {
  REPLICATION_ROOT_PATHS,
  replicationRoutes,
  REPLICATION_UNAUTHENTICATED_PATHS,
} from '../replication/replication-routes';
import { storedSettingRoutes, STORED_SETTINGS_ROOT_PATHS } from '../stored-settings';
import { PLUGIN_ROOT_PATHS, pluginRoutes } from './plugins';
import { resultantAclRoutes } from './resultant-acl';
import { sentinelPolicyRoutes } from './sentinel-policies';
import { SERVER_ROOT_PATHS, serverRoutes, SERVER_UNAUTHENTICATED_PATHS } from './server-routes';
import { wrappingRoutes, WRAPPING_UNAUTHENTICATED_PATHS } from './wrapping';

/** Creates the backend of the paths below `sys/`, which every namespace has. */
export function systemBackend(cluster: EmulatedCluster, managedKeys: KeyOperations): BackendFactory {
  return ({ mount }) => ({
    type: mount.type,
    help: 'The server itself: policies, mounts, namespaces, wrapping and status.',
    routes: [
      ...aclPolicyRoutes(cluster),
      ...legacyPolicyRoutes(cluster),
      ...mountRoutes(cluster),
      ...auditRoutes(cluster),
      ...wrappingRoutes(cluster),
      ...capabilityRoutes(cluster),
      ...leaseRoutes(cluster),
      ...resultantAclRoutes(cluster),
      ...storedSettingRoutes(cluster, 'sys'),
      ...pluginRoutes(cluster),
      ...(cluster.server.enterprise
        ? [
            ...sentinelPolicyRoutes(cluster),
            ...mfaRoutes(cluster),
            ...namespaceRoutes(cluster),
            ...managedKeyRoutes(cluster, managedKeys),
            ...replicationRoutes(cluster),
            ...snapshotRoutes(cluster),
            ...raftSnapshotRoutes(cluster),
            ...(cluster.loadsSnapshots ? snapshotLoadRoutes(cluster) : []),
          ]
        : []),
      ...serverRoutes(cluster),
    ],
    rootPaths: [
      ...MOUNT_ROOT_PATHS,
      ...AUDIT_ROOT_PATHS,
      ...LEASE_ROOT_PATHS,
      ...REPLICATION_ROOT_PATHS,
      ...SNAPSHOT_ROOT_PATHS,
      ...SERVER_ROOT_PATHS,
      ...STORED_SETTINGS_ROOT_PATHS,
      ...PLUGIN_ROOT_PATHS,
    ],
    unauthenticatedPaths: [
      ...MOUNT_UNAUTHENTICATED_PATHS,
      ...WRAPPING_UNAUTHENTICATED_PATHS,
      ...REPLICATION_UNAUTHENTICATED_PATHS,
      ...SERVER_UNAUTHENTICATED_PATHS,
    ],
  });
}
