import type { Route } from '../core/backend';
import type { ClusterParts } from '../core/parts';

/** The routes of `sys` that enable, list, tune, move and disable mounts. */
export function mountRoutes(_cluster: ClusterParts): readonly Route[] {
  return [];
}
