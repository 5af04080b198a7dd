import type { ConfiguredContext } from '../../plugin';
import type { Clusters } from '../clusters';

/** The context in which a plan compares a resource with the others of the same run of Terraform. */
export type TerraformRun = Pick<ConfiguredContext<Clusters>, 'providerData' | 'diagnostics'>;

/**
 * Returns a function that keeps one value for each run of Terraform, or for each key in it. Runs
 * are distinguished by their clusters, because each run configures the provider anew.
 */
export function perRun<T>(make: () => T): (clusters: Clusters, key?: string) => T {
  const runs = new WeakMap<Clusters, Map<string, T>>();
  return (clusters, key = '') => {
    const run = runs.get(clusters) ?? new Map<string, T>();
    runs.set(clusters, run);
    const value = run.get(key) ?? make();
    run.set(key, value);
    return value;
  };
}
