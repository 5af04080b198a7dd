import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeFolder } from '../../files';
import type { Json } from '../core/primitives/json';
import { MemoryStorage } from '../core/primitives/storage';
import { readEarlierFormat } from './earlier-format';
import { type StoredChange, Journal, readJournal } from './journal';
import { lockFolder } from './lock';
import { notMade, notStored, tornTail } from './messages';

const JOURNAL_FILE = 'emulator.journal';

/**
 * The minimum of outdated bytes before a journal is rewritten; more than half must be outdated as
 * well.
 */
const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * The stores of an emulator, kept in a folder. Changes are in memory first, and are then written to
 * disk together. One file holds the changes of all clusters, so that their states match after any
 * end of the process.
 */
export class DataFolder {
  readonly #file: string;
  readonly #stores = new Map<string, MemoryStorage>();
  readonly #unlock: () => void;
  readonly #warn: (text: string) => void;
  #journal: Journal;
  /** The changed keys that are not being written yet, by store. */
  #changed = new Map<string, Set<string>>();
  /**
   * The commit that is being written, and the next one, which will contain all changes until then.
   */
  #running: Promise<void> | undefined;
  #next: Commit | undefined;
  #failure: string | undefined;
  /** The bytes of the journal that were not outdated when it was last rewritten. */
  #usefulBytes: number;

  private constructor(
    file: string,
    journal: Journal,
    contents: readonly StoredChange[],
    unlock: () => void,
    warn: (text: string) => void,
  ) {
    this.#file = file;
    this.#journal = journal;
    this.#unlock = unlock;
    this.#warn = warn;
    this.#replay(contents);
    const useful = [...this.#stores.values()].reduce((sum, { size }) => sum + size, 0);
    this.#usefulBytes = (journal.bytes * useful) / Math.max(contents.length, 1);
  }

  /**
   * Opens a folder.
   *
   * @param warn receives warnings for the person who runs the emulator.
   * @throws Error if another emulator uses the folder, it cannot be written to, or it holds
   *   something else.
   */
  static async open(folder: string, warn: (text: string) => void): Promise<DataFolder> {
    try {
      makeFolder(folder, 0o700);
    } catch (error) {
      throw new Error(notMade(folder, (error as Error).message), { cause: error });
    }
    const unlock = lockFolder(folder);
    try {
      const file = join(folder, JOURNAL_FILE);
      const { changes, wholeBytes, tornBytes } = readJournal(file);
      const earlier = wholeBytes === 0 ? readEarlierFormat(folder) : [];
      const journal = await Journal.open(file, wholeBytes);
      if (earlier.length > 0) await journal.append(earlier);
      if (tornBytes > 0) warn(tornTail(file, tornBytes));
      return new DataFolder(file, journal, [...earlier, ...changes], unlock, warn);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Returns the store with this name: that of a cluster or of the key stores. */
  storage(name: string): MemoryStorage {
    const known = this.#stores.get(name);
    if (known !== undefined) return known;
    const store = new MemoryStorage((key) => this.#noteChange(name, key));
    this.#stores.set(name, store);
    return store;
  }

  /** The reason why changes are not stored any more; `undefined` while they are stored. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * Resolves when all changes until now are on disk. Returns `undefined` if they already are, or if
   * changes are not stored any more. Rejects if they cannot be written.
   */
  committed(): Promise<void> | undefined {
    return this.#next?.promise ?? this.#running;
  }

  /** Writes the remaining changes, and unlocks the folder. */
  async close(): Promise<void> {
    // Failures are ignored here, because the requests that wait for the changes receive them.
    while (this.committed() !== undefined) await this.committed()?.catch(() => undefined);
    await this.#journal.close();
    this.#unlock();
  }

  #replay(changes: readonly StoredChange[]): void {
    const stores = new Map<string, Map<string, Json>>();
    for (const [name, key, value] of changes) {
      const entries = stores.get(name) ?? new Map<string, Json>();
      stores.set(name, entries);
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
    }
    for (const [name, entries] of stores) this.storage(name).load(entries);
  }

  #noteChange(name: string, key: string): void {
    const keys = this.#changed.get(name);
    if (keys === undefined) this.#changed.set(name, new Set([key]));
    else keys.add(key);
    if (this.#failure !== undefined) return;
    this.#next ??= newCommit();
    if (this.#running === undefined) this.#begin();
  }

  /** Commits one batch after the other until no changes are left. */
  #begin(): void {
    const commit = this.#next;
    this.#running = commit?.promise;
    if (commit === undefined) return;
    void this.#write().then(
      () => {
        this.#begin();
        commit.done();
      },
      (error: unknown) => {
        const failure = this.#fail(error);
        this.#next?.failed(failure);
        this.#next = undefined;
        this.#begin();
        commit.failed(failure);
      },
    );
  }

  async #write(): Promise<void> {
    // Other changes in this turn of the event loop are added to the commit.
    await nextTurn();
    this.#next = undefined;
    await this.#journal.append(this.#takeChanges());
    await this.#tidy();
  }

  #takeChanges(): StoredChange[] {
    const changed = this.#changed;
    this.#changed = new Map();
    return [...changed].flatMap(([name, keys]) =>
      [...keys].map((key): StoredChange => {
        const value = this.storage(name).get(key);
        return value === undefined ? [name, key] : [name, key, value];
      }),
    );
  }

  /** Rewrites the journal if most of it is outdated. */
  async #tidy(): Promise<void> {
    if (this.#journal.bytes < 2 * this.#usefulBytes + SPARE_BYTES) return;
    const all = [...this.#stores].flatMap(([name, store]) =>
      store.entries().map(([key, value]): StoredChange => [name, key, value]),
    );
    // Changes during the rewrite are appended afterwards. If the disk has no room for a second
    // file, the present file remains in use.
    await this.#journal.replace(all).catch(() => undefined);
    this.#usefulBytes = this.#journal.bytes;
  }

  #fail(error: unknown): Error {
    this.#failure = notStored(this.#file, error instanceof Error ? error.message : String(error));
    this.#warn(this.#failure);
    return new Error(this.#failure);
  }
}

/** Changes that are written to disk together. */
interface Commit {
  readonly promise: Promise<void>;
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

function newCommit(): Commit {
  let done = (): void => undefined;
  let failed: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    done = resolve;
    failed = reject;
  });
  // The failure of a change that no request waits for is reported as a warning.
  promise.catch(() => undefined);
  return { promise, done, failed };
}
