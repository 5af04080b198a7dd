import type { Route } from '../core/backend';
import type { Cluster } from '../core/cluster';

/** The routes of `sys` that enable, list, tune, move and disable mounts. */
export function mountRoutes(_cluster: Cluster): readonly Route[] {
  return [];
}
