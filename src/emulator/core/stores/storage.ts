import type { Json } from '../primitives/json';

/**
 * A key-value store with folders, as the server gives one to each of its engines. Keys are slash-separated.
 *
 * Values are JSON and are never changed once stored: put a new value instead of editing the one that was read.
 */
export interface Storage {
  /** Returns the value of a key. Callers know its type, since only they write the key. */
  get<T = Json>(key: string): T | undefined;
  /** @param value an object holds nothing but JSON. */
  put(key: string, value: Json | object): void;
  delete(key: string): void;
  /** The names directly below `prefix` ('' or ending with a slash), sorted; folders end with a slash. */
  list(prefix: string): string[];
  /** The full keys below `prefix`, at any depth and without the prefix, sorted. */
  keys(prefix: string): string[];
  /** Deletes everything below `prefix`. */
  clear(prefix: string): void;
  /** The part of this store below `prefix`, which ends with a slash. */
  view(prefix: string): Storage;
}

/** A listener that is notified of every write. */
export interface StorageObserver {
  /** Before anything is changed, also if there is nothing to delete. What it throws stops the write. */
  before(key: string, value: Json | undefined): void;
  /** After a change; `value` is undefined for a key that is gone. */
  after(key: string, value: Json | undefined): void;
}

/** The store of one cluster: all of it in memory. */
export class MemoryStorage implements Storage {
  readonly #values = new Map<string, Json>();
  #observer: StorageObserver | undefined;

  readonly #onChange: (key: string) => void;

  /** @param onChange called after every change of a key. */
  constructor(onChange: (key: string) => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** Takes the place of whoever observed before. */
  observe(observer: StorageObserver): void {
    this.#observer = observer;
  }

  get<T = Json>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  put(key: string, given: Json | object): void {
    const value = given as Json;
    this.#observer?.before(key, value);
    this.#values.set(key, value);
    this.#onChange(key);
    this.#observer?.after(key, value);
  }

  delete(key: string): void {
    this.#observer?.before(key, undefined);
    if (!this.#values.delete(key)) return;
    this.#onChange(key);
    this.#observer?.after(key, undefined);
  }

  list(prefix: string): string[] {
    const names = new Set<string>();
    for (const key of this.#values.keys()) {
      if (!key.startsWith(prefix)) continue;
      const end = key.indexOf('/', prefix.length);
      names.add(key.slice(prefix.length, end < 0 ? undefined : end + 1));
    }
    return [...names].sort();
  }

  keys(prefix: string): string[] {
    return [...this.#values.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .sort();
  }

  clear(prefix: string): void {
    for (const key of this.#values.keys()) {
      if (key.startsWith(prefix)) this.delete(key);
    }
  }

  view(prefix: string): Storage {
    return new StorageView(this, prefix);
  }

  /** Every key and value, for a snapshot. */
  entries(): [string, Json][] {
    return [...this.#values];
  }

  /** Takes over a snapshot's keys and values, without reporting them as changes. */
  load(entries: Iterable<readonly [string, Json]>): void {
    for (const [key, value] of entries) this.#values.set(key, value);
  }
}

class StorageView implements Storage {
  readonly #whole: Storage;
  readonly #prefix: string;

  constructor(whole: Storage, prefix: string) {
    this.#whole = whole;
    this.#prefix = prefix;
  }

  get<T = Json>(key: string): T | undefined {
    return this.#whole.get<T>(this.#prefix + key);
  }

  put(key: string, value: Json | object): void {
    this.#whole.put(this.#prefix + key, value);
  }

  delete(key: string): void {
    this.#whole.delete(this.#prefix + key);
  }

  list(prefix: string): string[] {
    return this.#whole.list(this.#prefix + prefix);
  }

  keys(prefix: string): string[] {
    return this.#whole.keys(this.#prefix + prefix);
  }

  clear(prefix: string): void {
    this.#whole.clear(this.#prefix + prefix);
  }

  view(prefix: string): Storage {
    return new StorageView(this.#whole, this.#prefix + prefix);
  }
}

/** Answers with what lies directly below a folder; the empty path is the engine's root. */
export function listFolder(storage: Storage, path: string): { readonly data: { readonly keys: string[] } } {
  const inner = path.replace(/^\/+|\/+$/g, '');
  return { data: { keys: storage.list(inner === '' ? '' : `${inner}/`) } };
}
