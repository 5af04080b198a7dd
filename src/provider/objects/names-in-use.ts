import type { Clusters } from '../clusters';
import { perRun } from './per-run';

/**
 * The number of creates in a run after which a list is used. The first creates read their own
 * object instead: a list requires a permission, and saves no requests for few objects.
 */
const FEW = 3;
/**
 * The age at which a list is no longer used, in milliseconds: it lacks objects that others have
 * created since.
 */
const FRESH = 1_000;
/**
 * The age at which the next list is requested in the background, in milliseconds, so that creates
 * do not wait for it.
 */
const AGEING = 500;

/**
 * The names of existing objects in one namespace. Creates share lists of them, so that they do not
 * all read their own object first.
 */
export class NamesInUse {
  #asked = 0;
  #isRefused = false;
  #names: ReadonlySet<string> | undefined;
  #cameAt = -Infinity;
  #coming: Promise<ReadonlySet<string> | undefined> | undefined;
  readonly #now: () => number;

  /** @param now returns the time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Whether an object with this name may exist. If not, it need not be read before it is created.
   *
   * @param list lists the existing names. If it fails, every name may exist.
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

/** The lists by resource type, cluster and namespace. */
const lists = perRun(() => new NamesInUse());

/** @param type the type of the resource, without the provider's name */
export function namesInUse(
  clusters: Clusters,
  type: string,
  { cluster, namespace }: { readonly cluster: string; readonly namespace: string },
): NamesInUse {
  return lists(clusters, JSON.stringify([type, cluster, namespace]));
}
