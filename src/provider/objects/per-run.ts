import type { Clusters } from '../clusters';

/** Keeps one value for each key in each run of Terraform. Each run configures the provider anew. */
export function perRun<T>(make: () => T): (clusters: Clusters, key: string) => T {
  const runs = new WeakMap<Clusters, Map<string, T>>();
  return (clusters, key) => {
    const run = runs.get(clusters) ?? new Map<string, T>();
    runs.set(clusters, run);
    const value = run.get(key) ?? make();
    run.set(key, value);
    return value;
  };
}
