import type { Clusters } from '../clusters';
import { perRun } from './per-run';

/** The changes of one object in one run of Terraform. */
export interface ObjectChanges {
  /** The number of resources in the state for this object. */
  inState: number;
  /** The number of resources in the configuration for this object. */
  planned: number;
  toBeCreated: boolean;
  toBeDestroyed: boolean;
  created: boolean;
}

/** The changes by type and id of the objects. */
const changesOfRun = perRun((): ObjectChanges => ({
  inState: 0,
  planned: 0,
  toBeCreated: false,
  toBeDestroyed: false,
  created: false,
}));

/**
 * Returns the changes of an object in this run. Terraform plans each resource by itself, and the
 * result of two resources for one object depends on both.
 *
 * @param type of the resource, without the provider's name.
 */
export function changesInRun(clusters: Clusters, type: string, id: string): ObjectChanges {
  return changesOfRun(clusters, `${type} ${id}`);
}
