import { AUDIT_ROOT_PATHS, auditRoutes } from '../audit';
import { snapshotRootPaths, snapshotRoutes } from '../auto-snapshots';
import type { BackendFactory } from '../core/backend';
import type { Cluster } from '../core/cluster';
import { type KeyOperations, managedKeyRoutes } from '../managed-keys';
import { mountRootPaths, mountRoutes, mountUnauthenticatedPaths } from '../mounts';
import { aclPolicyRoutes } from './acl-policies';
import { capabilityRoutes } from './capabilities';
import { leaseRootPaths, leaseRoutes } from './leases';
import { legacyPolicyRoutes } from './legacy-policies';
import { namespaceRoutes } from './namespaces';
import {
  replicationRootPaths,
  replicationRoutes,
  replicationUnauthenticatedPaths,
} from '../replication/routes';
import { sentinelPolicyRoutes } from './sentinel-policies';
import { statusRootPaths, statusRoutes, statusUnauthenticatedPaths } from './status';
import { wrappingRoutes, wrappingUnauthenticatedPaths } from './wrapping';

/** The paths below `sys/`, which every namespace has. */
export function systemBackend(cluster: Cluster, managedKeys: KeyOperations): BackendFactory {
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
      ...(cluster.server.enterprise
        ? [
            ...sentinelPolicyRoutes(cluster),
            ...namespaceRoutes(cluster),
            ...managedKeyRoutes(cluster, managedKeys),
            ...replicationRoutes(cluster),
            ...snapshotRoutes(cluster),
          ]
        : []),
      ...statusRoutes(cluster),
    ],
    rootPaths: [
      ...mountRootPaths,
      ...AUDIT_ROOT_PATHS,
      ...leaseRootPaths,
      ...replicationRootPaths,
      ...snapshotRootPaths,
      ...statusRootPaths,
    ],
    unauthenticatedPaths: [
      ...mountUnauthenticatedPaths,
      ...wrappingUnauthenticatedPaths,
      ...replicationUnauthenticatedPaths,
      ...statusUnauthenticatedPaths,
    ],
  });
}
