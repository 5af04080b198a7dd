import type { Batch, LinkTarget } from './link';
import { type Leaves, leafHash, leafId } from '../merkle';
import type { Lag } from '../network';
import type { FilteredView } from '../paths-filter';
import type { Site } from '../site';
import type { CrashStep } from '../steps';

/** The receiver of data at a secondary. */
export interface ArrivalListener {
  /** Called when the secondary has all of the primary's writes up to this one. */
  arrivedAt(wal: number): void;
  /**
   * Called when the sync is complete, and the secondary receives the primary's writes from now on.
   */
  synced(wal: number, filtered: FilteredView | undefined): void;
}

/** Writes the primary's data to a secondary's storage. */
export class SyncTarget implements LinkTarget {
  readonly #site: Site;
  /** Runs `write` with permission to write replicated data. */
  readonly #asReplication: (write: () => void) => void;
  readonly #listener: ArrivalListener;

  constructor(
    site: Site,

    asReplication: (write: () => void) => void,
    listener: ArrivalListener,
  ) {
    this.#site = site;
    this.#asReplication = asReplication;
    this.#listener = listener;
  }

  get lag(): Lag {
    return this.#site.network.lag(this.#site.name);
  }

  entries(): ReturnType<LinkTarget['entries']> {
    return this.#site.keys.entries();
  }

  withheld(): Leaves {
    const { withheld } = this.#site.store;
    return new Map(withheld.keys('').map((id) => [id, withheld.get<string>(id) ?? '']));
  }

  apply({ changes, withheld }: Batch): void {
    const { host, store } = this.#site;
    this.#asReplication(() => {
      for (const { key, value } of changes) {
        if (value === undefined) host.storage.delete(key);
        else host.storage.put(key, value);
        host.refresh(key);
      }
    });
    if (withheld.size === 0) return;
    for (const [id, hash] of withheld) {
      if (hash === undefined) store.withheld.delete(id);
      else store.withheld.put(id, hash);
    }
    this.#site.changed();
  }

  /** Deletes the data of all mounts, and keeps its hashes. */
  loseData(): void {
    const { host, keys, store } = this.#site;
    const lost = keys.entries().filter(([key]) => key.startsWith('logical/'));
    for (const [key, value] of lost) store.withheld.put(leafId(key), leafHash(value));
    this.#asReplication(() => lost.forEach(([key]) => host.storage.delete(key)));
    this.#site.changed();
  }

  arrivedAt(wal: number): void {
    this.#listener.arrivedAt(wal);
  }

  synced(wal: number, filtered: FilteredView | undefined): void {
    this.#listener.synced(wal, filtered);
  }

  reached(step: CrashStep): void {
    this.#site.reached(step);
  }
}
