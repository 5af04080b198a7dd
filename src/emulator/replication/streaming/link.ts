import type { SecondaryState } from '../../../model';
import type { EmulatorClock, Timer } from '../../core/primitives/clock';
import type { Json } from '../../core/primitives/json';
import { type Leaves, leafHash, leafId } from '../merkle';
import { movesFilter, type FilteredView } from '../paths-filter';
import type { Lag } from '../network';
import type { SiteChange } from '../site';
import { Crashed, type CrashStep } from '../steps';

/** Changes that a secondary applies together. */
export interface Batch {
  readonly changes: readonly SiteChange[];
  /**
   * The hashes of data that a filter withholds, by the ids of the keys; undefined for deleted keys.
   */
  readonly withheld: ReadonlyMap<string, string | undefined>;
}

/** The primary's side of a connection. */
export interface Source {
  readonly lastWal: number;
  entries(): [string, Json][];
  /** Returns the present filter of the secondary; `undefined` if it has none. */
  filteredView(secondaryId: string): FilteredView | undefined;
}

/** The secondary's side of a connection. */
export interface LinkTarget {
  readonly lag: Lag;
  entries(): [string, Json][];
  withheld(): Leaves;
  apply(batch: Batch): void;
  /** Records that the secondary has all of the primary's writes up to this one. */
  arrivedAt(wal: number): void;
  /**
   * Records that the sync is complete, and the secondary receives the primary's writes from now on.
   */
  synced(wal: number, filtered: FilteredView | undefined): void;
  reached(step: CrashStep): void;
}

/** A write of the primary that the secondary has not applied yet. */
interface Shipment extends SiteChange {
  readonly wal: number;
  readonly sentAt: number;
}

/** The progress of a sync, as numbers of keys. */
interface SyncProgress {
  readonly total: number;
  readonly done: number;
}

/**
 * A connection between a primary and one secondary. It compares their data, copies the differences,
 * and then transfers the primary's writes. Each step takes as long as the delay of the network.
 */
export class Link {
  state: SecondaryState = 'merkle-diff';
  progress: SyncProgress | undefined;
  #filtered: FilteredView | undefined;
  /** Writes that were not transferred yet. */
  #queue: Shipment[] = [];
  /** The number of the primary's last write. */
  #heard: number;
  #applied = 0;
  #refilter = false;
  #next: (() => void) | undefined;
  #timer: Timer | undefined;
  #closed = false;

  readonly #secondaryId: string;
  readonly #source: Source;
  readonly #target: LinkTarget;
  readonly #clock: EmulatorClock;

  constructor(secondaryId: string, source: Source, target: LinkTarget, clock: EmulatorClock) {
    this.#secondaryId = secondaryId;
    this.#source = source;
    this.#target = target;
    this.#clock = clock;
    this.#heard = source.lastWal;
  }

  start(): void {
    this.#later(() => this.#compare());
  }

  /** Whether the secondary has all writes of the primary. */
  get caughtUp(): boolean {
    return this.state === 'stream-wals' && this.#applied >= this.#heard;
  }

  hasApplied(wal: number): boolean {
    return this.state === 'stream-wals' && this.#applied >= wal;
  }

  /** Adds a write of the primary. */
  enqueue(change: SiteChange): void {
    this.#heard = this.#source.lastWal;
    this.#queue.push({ ...change, wal: this.#heard, sentAt: this.#clock.now() });
    if (this.#filtered !== undefined && movesFilter(change.key)) this.#refilter = true;
    this.#shipSoon();
  }

  /** Must be called when the secondary's filter has changed. */
  filterChanged(): void {
    this.#refilter = true;
    this.#shipSoon();
  }

  /** Continues with the next step, when the delay of the network is over. */
  proceed(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#closed || this.#next === undefined || this.#target.lag === 'paused') return;
    const wait = this.#waitFor(this.#target.lag);
    if (wait === 0) this.#run();
    else this.#timer = this.#clock.schedule(wait, () => this.#run());
  }

  /**
   * Ends the connection in an orderly way: writes that can be delivered immediately are delivered.
   */
  finish(): void {
    if (this.#target.lag === 0) this.proceed();
    this.close();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#queue = [];
  }

  /**
   * Transfers the queue after the present request, so that all writes of a request are applied
   * together.
   */
  #shipSoon(): void {
    if (this.state !== 'stream-wals' || this.#next !== undefined) return;
    this.#next = () => this.#ship();
    if (this.#target.lag === 0) queueMicrotask(() => this.proceed());
    else this.proceed();
  }

  /**
   * Returns the remaining delay. The delay of a write starts when it was made, the delay of a step
   * of a sync starts now.
   */
  #waitFor(lag: number): number {
    const [first] = this.#queue;
    if (this.state !== 'stream-wals' || first === undefined) return lag;
    return Math.max(first.sentAt + lag - this.#clock.now(), 0);
  }

  #later(action: () => void): void {
    this.#next = action;
    this.proceed();
  }

  #run(): void {
    const action = this.#next;
    this.#next = undefined;
    try {
      action?.();
    } catch (error) {
      // The cluster has crashed, as requested.
      if (!(error instanceof Crashed)) throw error;
    }
  }

  #compare(): void {
    this.#filtered = this.#source.filteredView(this.#secondaryId);
    const batch = difference(this.#source.entries(), this.#filtered, this.#target);
    const wal = this.#source.lastWal;
    this.#queue = [];
    this.#refilter = false;
    this.state = 'merkle-sync';
    this.progress = { total: batch.changes.length, done: 0 };
    this.#target.reached('merkle-diffed');
    this.#later(() => this.#copyTables(batch, wal));
  }

  /**
   * Copies the tables of mounts and namespaces together, because mounts refer to their namespaces.
   */
  #copyTables(batch: Batch, wal: number): void {
    const changes = batch.changes.filter(belongsToTables);
    this.#target.apply({ changes, withheld: batch.withheld });
    this.progress = { total: batch.changes.length, done: changes.length };
    this.#target.reached('half-synced');
    this.#later(() => this.#copyData(batch, wal));
  }

  #copyData({ changes }: Batch, wal: number): void {
    this.#target.apply({
      changes: changes.filter((change) => !belongsToTables(change)),
      withheld: new Map(),
    });
    this.progress = undefined;
    this.#target.reached('merkle-synced');
    this.#applied = wal;
    this.state = 'stream-wals';
    this.#target.synced(wal, this.#filtered);
    if (this.#queue.length > 0 || this.#refilter) this.#shipSoon();
  }

  #ship(): void {
    if (this.#refilter) {
      this.#adjust();
      return;
    }
    const { lag } = this.#target;
    const isDue = ({ sentAt }: Shipment) => lag !== 'paused' && sentAt + lag <= this.#clock.now();
    const shipped = this.#queue.filter(isDue);
    this.#queue = this.#queue.slice(shipped.length);
    const kept = shipped.filter(({ key, value }) => value === undefined || this.#keeps(key));
    this.#target.apply({
      changes: kept,
      withheld: new Map(
        this.#filtered === undefined ? [] : shipped.map((change) => this.#withheldLeaf(change)),
      ),
    });
    this.#applied = shipped.at(-1)?.wal ?? this.#applied;
    this.#target.arrivedAt(this.#applied);
    if (this.#queue.length > 0) this.#shipSoon();
  }

  /**
   * Transfers all differences after mounts or the filter have changed which data the secondary
   * receives.
   */
  #adjust(): void {
    this.#filtered = this.#source.filteredView(this.#secondaryId);
    this.#refilter = false;
    this.#queue = [];
    this.#target.apply(difference(this.#source.entries(), this.#filtered, this.#target));
    this.#applied = this.#source.lastWal;
    this.#target.synced(this.#applied, this.#filtered);
  }

  #keeps(key: string): boolean {
    return this.#filtered?.keeps(key) ?? true;
  }

  #withheldLeaf({ key, value }: SiteChange): [string, string | undefined] {
    return [leafId(key), value === undefined || this.#keeps(key) ? undefined : leafHash(value)];
  }
}

function belongsToTables({ key, value }: SiteChange): boolean {
  return value === undefined || key.startsWith('core/');
}

/**
 * Returns the changes that make the secondary's data equal to the primary's, subject to the filter.
 */
function difference(
  entries: [string, Json][],
  filtered: FilteredView | undefined,
  target: LinkTarget,
): Batch {
  const wanted = new Map(entries);
  const withheld = new Map<string, string | undefined>();
  for (const [key, value] of filtered === undefined ? [] : entries) {
    if (filtered?.keeps(key) !== false) continue;
    wanted.delete(key);
    withheld.set(leafId(key), leafHash(value));
  }
  for (const id of target.withheld().keys()) if (!withheld.has(id)) withheld.set(id, undefined);
  const present = new Map(target.entries());
  const gone = [...present.keys()].filter((key) => !wanted.has(key));
  const other = [...wanted].filter(([key, value]) => {
    const before = present.get(key);
    return before === undefined || leafHash(before) !== leafHash(value);
  });
  return {
    changes: [
      ...gone.map((key) => ({ key, value: undefined })),
      ...other.map(([key, value]) => ({ key, value })),
    ],
    withheld,
  };
}
