import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '../core/primitives/json';
import { MemoryStorage } from '../core/primitives/storage';
import { readEarlierFormat } from './earlier-format';
import { type Change, Journal, readJournal } from './journal';
import { lockFolder } from './lock';
import { notMade, notStored, tornTail } from './messages';

const JOURNAL_FILE = 'emulator.journal';

/** A journal is written anew when this much of it, and more than half, is out of date. */
const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * The stores of an emulator, kept in a folder. All changes are in memory at once; they go to disk together, those of all
 * clusters in one file, so that clusters agree about each other however the process ends.
 */
export class DataFolder {
  readonly #file: string;
  readonly #stores = new Map<string, MemoryStorage>();
  readonly #unlock: () => void;
  readonly #warn: (text: string) => void;
  #journal: Journal;
  /** The keys that are not on their way to disk yet, by store. */
  #changed = new Map<string, Set<string>>();
  /** What is on its way to disk, and what waits for it: each commit takes all changes that there are. */
  #running: Promise<void> | undefined;
  #next: Commit | undefined;
  #failure: string | undefined;
  /** Of the journal, as far as it was not out of date when it was looked at last. */
  #usefulBytes: number;

  private constructor(
    file: string,
    journal: Journal,
    contents: readonly Change[],
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
   * @param warn receives warnings for the person who runs the emulator.
   * @throws Error if another emulator has the folder, it cannot be written to, or it holds something else.
   */
  static async open(folder: string, warn: (text: string) => void): Promise<DataFolder> {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
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

  /** The store of a cluster, or of something else that has a name of its own. */
  storage(name: string): MemoryStorage {
    const known = this.#stores.get(name);
    if (known !== undefined) return known;
    const store = new MemoryStorage((key) => this.#noteChange(name, key));
    this.#stores.set(name, store);
    return store;
  }

  /** Why nothing can be stored any more. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * Resolves when everything that was changed until now is on disk; `undefined` if it is there already, or nothing can be
   * stored any more. Rejects if it cannot be written.
   */
  committed(): Promise<void> | undefined {
    return this.#next?.promise ?? this.#running;
  }

  /** Writes what is not on disk yet, and lets go of the folder. */
  async close(): Promise<void> {
    // Whoever waits for a change has been told if it failed.
    while (this.committed() !== undefined) await this.committed()?.catch(() => undefined);
    await this.#journal.close();
    this.#unlock();
  }

  #replay(changes: readonly Change[]): void {
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

  /** Commits one batch after the other until nothing is left. */
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
    // What else this turn of the event loop changes belongs to it, or costs no write of its own.
    await nextTurn();
    this.#next = undefined;
    await this.#journal.append(this.#takeChanges());
    await this.#tidy();
  }

  #takeChanges(): Change[] {
    const changed = this.#changed;
    this.#changed = new Map();
    return [...changed].flatMap(([name, keys]) =>
      [...keys].map((key): Change => {
        const value = this.storage(name).get(key);
        return value === undefined ? [name, key] : [name, key, value];
      }),
    );
  }

  /** Writes the journal anew if it consists of old values for the most part. */
  async #tidy(): Promise<void> {
    if (this.#journal.bytes < 2 * this.#usefulBytes + SPARE_BYTES) return;
    const all = [...this.#stores].flatMap(([name, store]) =>
      store.entries().map(([key, value]): Change => [name, key, value]),
    );
    // What changes from here on is written again, after it. Without room for a second file, the present one goes on.
    await this.#journal.replace(all).catch(() => undefined);
    this.#usefulBytes = this.#journal.bytes;
  }

  #fail(error: unknown): Error {
    this.#failure = notStored(this.#file, error instanceof Error ? error.message : String(error));
    this.#warn(this.#failure);
    return new Error(this.#failure);
  }
}

/** Changes that go to disk together. */
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
