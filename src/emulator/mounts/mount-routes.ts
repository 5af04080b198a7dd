import type { Route } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import { remountRoutes } from './remount';
import { authMountRoutes, secretMountRoutes } from './tables';
import { visibleMountRoutes } from './visible';

/** The routes of `sys` that enable, list, tune, move and disable mounts. */
export function mountRoutes(cluster: ClusterParts): readonly Route[] {
  return [
    ...secretMountRoutes(cluster),
    ...authMountRoutes(cluster),
    ...remountRoutes(cluster),
    ...visibleMountRoutes(cluster),
  ];
}

/** The mount routes that need the sudo capability. */
export const MOUNT_ROOT_PATHS: readonly string[] = ['auth/*', 'remount'];

/** The mount routes that need no token. */
export const MOUNT_UNAUTHENTICATED_PATHS: readonly string[] = ['internal/ui/mounts', 'internal/ui/mounts/*'];
