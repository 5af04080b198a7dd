import type { Clusters } from '../clusters';

/** So many creates of a run look for their object themselves: a list needs a permission of its own, and pays only beyond. */
const FEW = 3;
/** How long a list counts after it came, in milliseconds: what others create meanwhile is not in it. */
const FRESH = 1_000;
/** From which age of a list on the next one is asked for, in milliseconds, so that creates need not wait for it. */
const AGEING = 500;

/** The names in use in one place of a server. Creates share lists of them, instead of each reading what it is about to write. */
export class NamesInUse {
  #asked = 0;
  #isRefused = false;
  #names: ReadonlySet<string> | undefined;
  #cameAt = -Infinity;
  #coming: Promise<ReadonlySet<string> | undefined> | undefined;
  readonly #now: () => number;

  /** @param now the time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Whether an object of that name may exist: only then it has to be read.
   *
   * @param list fails if the token may not list: then each object is read.
   */
  async mayInclude(name: string, list: () => Promise<readonly string[]>): Promise<boolean> {
    this.#asked += 1;
    if (this.#asked <= FEW || this.#isRefused) return true;
    const age = this.#now() - this.#cameAt;
    if (age > AGEING) this.#coming ??= this.#listed(list);
    const names = age > FRESH ? await this.#coming : this.#names;
    return names?.has(name.toLowerCase()) ?? true;
  }

  async #listed(list: () => Promise<readonly string[]>): Promise<ReadonlySet<string> | undefined> {
    try {
      const names = new Set((await list()).map((name) => name.toLowerCase()));
      this.#names = names;
      this.#cameAt = this.#now();
      return names;
    } catch {
      this.#isRefused = true;
      return undefined;
    } finally {
      this.#coming = undefined;
    }
  }
}

/** By the types of the objects and where they are. Terraform configures the provider anew for each run. */
const RUNS = new WeakMap<Clusters, Map<string, NamesInUse>>();

/** @param type of the resource, without the provider's name. */
export function namesInUse(
  clusters: Clusters,
  type: string,
  { cluster, namespace }: { readonly cluster: string; readonly namespace: string },
): NamesInUse {
  const run = RUNS.get(clusters) ?? new Map<string, NamesInUse>();
  RUNS.set(clusters, run);
  const place = JSON.stringify([type, cluster, namespace]);
  const names = run.get(place) ?? new NamesInUse();
  run.set(place, names);
  return names;
}
