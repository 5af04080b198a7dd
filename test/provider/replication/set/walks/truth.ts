/** The true modes and data of a walk's clusters, whatever their status says. */
import type { TestClusters } from '../support/clusters';
import type { InProcess } from '../support/wire';

const MOUNT = 'kv/';

/** The clusters that have a write, by the key of the write. */
type Holders = ReadonlyMap<string, ReadonlySet<string>>;

export interface Vanished {
  readonly key: string;
  /** The clusters that had the write last. */
  readonly from: readonly string[];
}

export class Truth {
  /** The writes that a cluster has accepted, and that no forced promotion has abandoned. */
  readonly #kept = new Set<string>();
  #holders: Holders = new Map();
  #written = 0;

  constructor(
    private readonly clusters: TestClusters,
    private readonly responders: InProcess['responders'],
  ) {}

  get names(): readonly string[] {
    return this.clusters.names;
  }

  mode(name: string): string {
    return this.responders[name]!.cluster.replication.mode;
  }

  /** Returns the id of the replication set of a cluster. */
  setOf(name: string): string {
    const { cluster_id } = this.responders[name]!.cluster.replication.status() as { cluster_id?: string };
    return cluster_id ?? '';
  }

  primaries(): readonly string[] {
    return this.names.filter((name) => this.mode(name) === 'primary');
  }

  /**
   * Writes to a cluster.
   *
   * @returns whether the cluster accepted the write.
   */
  async write(cluster: string): Promise<boolean> {
    const key = `w${(this.#written += 1)}`;
    const { status } = await this.clusters.ask(cluster, 'POST', `${MOUNT}${key}`, { value: key });
    if (status >= 300) return false;
    this.#kept.add(key);
    this.#look();
    return true;
  }

  /**
   * Returns the writes that some cluster had at the last call, and none has now. Each is returned
   * once.
   */
  vanished(): readonly Vanished[] {
    const before = this.#holders;
    this.#look();
    const gone = [...this.#kept].filter((key) => !this.#holders.has(key) && before.has(key));
    for (const key of gone) this.#kept.delete(key);
    return gone.map((key) => ({ key, from: [...before.get(key)!] }));
  }

  /** Returns the writes that one cluster has and another one lacks. */
  missing(there: string, here: string): readonly string[] {
    this.#look();
    return [...this.#holders].flatMap(([key, holders]) =>
      holders.has(here) && !holders.has(there) ? [key] : [],
    );
  }

  #look(): void {
    const holders = new Map<string, Set<string>>();
    for (const name of this.names) {
      const { storage } = this.responders[name]!.cluster;
      for (const path of storage.keys('logical/')) {
        const key = /\/secrets\/(w\d+)$/.exec(path)?.[1];
        if (key === undefined || !this.#kept.has(key)) continue;
        holders.set(key, (holders.get(key) ?? new Set()).add(name));
      }
    }
    this.#holders = holders;
  }
}
