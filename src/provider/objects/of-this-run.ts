import type { Clusters } from '../clusters';

/** What becomes of one object in one run of Terraform. */
interface Fate {
  /** How many resources of the state stand for it. */
  kept: number;
  toBeCreated: boolean;
  toBeDestroyed: boolean;
  created: boolean;
}

/** By the types and ids of the objects. Terraform configures the provider anew for each run. */
const RUNS = new WeakMap<Clusters, Map<string, Fate>>();

/**
 * What becomes of an object in this run: Terraform asks for each resource by itself, and what two of them do to one object can
 * be told only of both together.
 *
 * @param type of the resource, without the provider's name.
 */
export function fateOf(clusters: Clusters, type: string, id: string): Fate {
  const run = RUNS.get(clusters) ?? new Map<string, Fate>();
  RUNS.set(clusters, run);
  const object = `${type} ${id}`;
  const fate = run.get(object) ?? { kept: 0, toBeCreated: false, toBeDestroyed: false, created: false };
  run.set(object, fate);
  return fate;
}
