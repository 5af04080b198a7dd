import type { EmulatorClock, Timer } from '../core/primitives/clock';
import { packSnapshot, takeSnapshot, type SnapshotHost } from './archive';
import { attemptSnapshot, type SnapshotAttempt } from './attempt';
import { LoadedSnapshots } from './loaded';
import { SnapshotRecords } from './records';
import { type SnapshotConfig, SnapshotStore } from './store';
import type { SnapshotTarget } from './targets/target';
import { openTarget } from './targets/targets';

/** The minimum time between two automatic loads of a snapshot. */
const AUTOLOAD_INTERVAL_MS = 3600 * 1000;

/** The attempts of one configuration, which run one after the other. */
interface Queue {
  tail: Promise<void>;
  /** The number of attempts that wait for the running one. */
  waiting: number;
}

/**
 * Takes the snapshots of one cluster when they are due by its clock. The first is due when one
 * interval has passed since the configuration was written, each further one after another interval.
 */
export class SnapshotAgent {
  readonly store: SnapshotStore;
  readonly loaded: LoadedSnapshots;
  readonly #records: SnapshotRecords;
  readonly #clock: EmulatorClock;
  readonly #timers = new Map<string, Timer>();
  readonly #queues = new Map<string, Queue>();
  #latestNanoseconds = 0n;

  readonly #host: SnapshotHost;

  constructor(host: SnapshotHost) {
    this.#host = host;
    this.#clock = host.clock;
    this.store = new SnapshotStore(host.storage);
    this.loaded = new LoadedSnapshots(host);
    this.#records = new SnapshotRecords(host.storage);
  }

  /** Resumes the schedules of the stored configurations. */
  start(): void {
    for (const name of this.store.names()) this.#resume(name);
  }

  /** Cancels the schedules. Attempts that have begun are completed. */
  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /**
   * Writes a configuration. A changed interval starts at the last attempt or, without one, at the
   * first write.
   */
  configure(name: string, config: SnapshotConfig): void {
    if (this.store.progress(name) === undefined) this.store.note(name, { since: this.#clock.now() });
    this.store.putConfig(name, config);
    this.#plan(name);
  }

  /** Deletes a configuration. Its snapshots remain. */
  forget(name: string): undefined {
    this.#timers.get(name)?.cancel();
    this.#timers.delete(name);
    this.store.delete(name);
  }

  /**
   * Schedules a stored configuration. A time that is in the future is replaced by the present: the
   * clock of the earlier run may have been ahead of this one.
   */
  #resume(name: string): void {
    const now = this.#clock.now();
    this.store.note(name, { since: Math.min(this.store.progress(name)?.since ?? now, now) });
    this.#plan(name);
  }

  #plan(name: string): void {
    this.#timers.get(name)?.cancel();
    const config = this.store.config(name);
    if (config === undefined) return;
    const now = this.#clock.now();
    const since = this.store.progress(name)?.since ?? now;
    const wait = Math.max(since + config.interval * 1000 - now, 0);
    this.#timers.set(
      name,
      this.#clock.schedule(wait, () => this.#due(name)),
    );
  }

  /**
   * Takes the snapshot that is due. If the clock moves past many intervals, only the last `retain`
   * attempts are made: retention would delete the snapshots of earlier ones.
   */
  #due(name: string): Promise<void> | undefined {
    const config = this.store.config(name);
    if (config === undefined) return undefined;
    const now = this.#clock.now();
    const intervalMs = config.interval * 1000;
    const more = Math.floor((this.#clock.destination() - now) / intervalMs);
    const attempts = config.retain;
    const skipped = more >= attempts;
    this.store.note(name, { since: skipped ? now + (more - attempts) * intervalMs : now });
    this.#plan(name);
    return skipped || this.#host.sealed ? undefined : this.#enqueue(name, config, now);
  }

  /** Returns the target that the snapshots of a configuration are written to. */
  targetOf(name: string, config: SnapshotConfig): SnapshotTarget {
    return openTarget(config, this.#records.of(name), this.#host.server);
  }

  #enqueue(name: string, config: SnapshotConfig, start: number): Promise<void> | undefined {
    const queue = this.#queues.get(name) ?? { tail: Promise.resolve(), waiting: 0 };
    // Attempts wait if the target is slower than the interval. While `retain` attempts wait,
    // further ones are left out.
    if (queue.waiting >= config.retain) return undefined;
    this.#queues.set(name, queue);
    queue.waiting += 1;
    const snapshot = takeSnapshot(this.#host, start);
    const { unsealKey } = this.#host;
    const attempt = {
      name,
      config,
      start,
      fileName: `${config.file_prefix}-${this.#nanoseconds(start)}.snap`,
      content: () => packSnapshot(snapshot, unsealKey),
      target: this.targetOf(name, config),
    };
    queue.tail = queue.tail.then(async () => {
      queue.waiting -= 1;
      const isWritten = await attemptSnapshot(attempt, this.store, this.#clock);
      if (isWritten && config.autoload_enabled === true) this.#autoload(attempt);
    });
    return queue.tail;
  }

  /**
   * Loads the new snapshot, and unloads the previous one. With intervals below an hour, one
   * snapshot is loaded per hour.
   */
  #autoload({ name, fileName, target }: SnapshotAttempt): void {
    const now = this.#clock.now();
    const before = this.store.progress(name)?.autoloaded ?? -Infinity;
    if (now < before + AUTOLOAD_INTERVAL_MS) return;
    this.store.note(name, { autoloaded: now });
    this.loaded.replace(() => target.read(fileName), { config: name, url: target.url(fileName) });
  }

  /**
   * Returns a unique number for a file name, so that configurations that share a directory do not
   * write to the same file. The clock counts milliseconds; the digits below them come from the
   * cluster's id, so that two clusters do not use the same name.
   */
  #nanoseconds(milliseconds: number): bigint {
    const wanted =
      BigInt(milliseconds) * 1_000_000n + (BigInt(`0x${this.#host.id.slice(0, 8)}`) % 1_000_000n);
    this.#latestNanoseconds = wanted > this.#latestNanoseconds ? wanted : this.#latestNanoseconds + 1n;
    return this.#latestNanoseconds;
  }
}
