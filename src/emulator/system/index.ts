import type { BackendFactory } from '../core/backend';
import type { Cluster } from '../core/cluster';
import { mountRootPaths, mountRoutes, mountUnauthenticatedPaths } from '../mounts';
import { capabilityRoutes } from './capabilities';
import { leaseRootPaths, leaseRoutes } from './leases';
import { legacyPolicyRoutes } from './legacy-policies';
import { namespaceRoutes } from './namespaces';
import { policyRoutes } from './policies';
import { statusRootPaths, statusRoutes, statusUnauthenticatedPaths } from './status';
import { wrappingRoutes, wrappingUnauthenticatedPaths } from './wrapping';

/** The paths below `sys/`, which every namespace has. */
export function systemBackend(cluster: Cluster): BackendFactory {
  return ({ mount }) => ({
    type: mount.type,
    help: 'The server itself: policies, mounts, namespaces, wrapping and status.',
    routes: [
      ...policyRoutes(cluster),
      ...legacyPolicyRoutes(cluster),
      ...mountRoutes(cluster),
      ...wrappingRoutes(cluster),
      ...capabilityRoutes(cluster),
      ...leaseRoutes(cluster),
      ...(cluster.server.enterprise ? namespaceRoutes(cluster) : []),
      ...statusRoutes(cluster),
    ],
    rootPaths: [...mountRootPaths, ...leaseRootPaths, ...statusRootPaths],
    unauthenticatedPaths: [
      ...mountUnauthenticatedPaths,
      ...wrappingUnauthenticatedPaths,
      ...statusUnauthenticatedPaths,
    ],
  });
}
