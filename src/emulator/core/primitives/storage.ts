import type { Json } from './json';
import { trimmed } from '../../../text';

/**
 * A key-value store with folders, as the server provides it to each engine. Keys are
 * slash-separated.
 *
 * Values are JSON and must not be changed after they are stored: put a new value instead.
 */
export interface Storage {
  /** Returns the value of a key. Callers know its type, since only they write the key. */
  get<T = Json>(key: string): T | undefined;
  /** @param value an object that contains only JSON values. */
  put(key: string, value: Json | object): void;
  delete(key: string): void;
  /**
   * Returns the names directly below `prefix` ('' or ending with a slash), sorted; folders end with
   * a slash.
   */
  list(prefix: string): string[];
  /** Returns the full keys below `prefix`, at any depth and without the prefix, sorted. */
  keys(prefix: string): string[];
  /** Deletes everything below `prefix`. */
  clear(prefix: string): void;
  /** Returns the part of this store below `prefix`, which ends with a slash. */
  view(prefix: string): Storage;
}

/** A listener that is notified of every write. */
export interface StorageObserver {
  /**
   * Called before a change, even if there is nothing to delete. An error that it throws prevents
   * the write.
   */
  before(key: string, value: Json | undefined): void;
  /** Called after a change; `value` is undefined for a deleted key. */
  after(key: string, value: Json | undefined): void;
}

/** The store of one cluster, completely in memory. */
export class MemoryStorage implements Storage {
  readonly #values = new Map<string, Json>();
  readonly #folders = new Folders();
  #observer: StorageObserver | undefined;

  readonly #onChange: (key: string) => void;

  /** @param onChange called after every change of a key. */
  constructor(onChange: (key: string) => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** Sets the observer, in place of the present one. */
  observe(observer: StorageObserver): void {
    this.#observer = observer;
  }

  /** The number of keys. */
  get size(): number {
    return this.#values.size;
  }

  get<T = Json>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  put(key: string, given: Json | object): void {
    const value = given as Json;
    this.#observer?.before(key, value);
    this.#set(key, value);
    this.#onChange(key);
    this.#observer?.after(key, value);
  }

  delete(key: string): void {
    this.#observer?.before(key, undefined);
    if (!this.#values.delete(key)) return;
    this.#folders.remove(key);
    this.#onChange(key);
    this.#observer?.after(key, undefined);
  }

  list(prefix: string): string[] {
    return this.#folders.namesIn(prefix).sort();
  }

  keys(prefix: string): string[] {
    return this.#folders
      .keysIn(prefix)
      .map((key) => key.slice(prefix.length))
      .sort();
  }

  clear(prefix: string): void {
    for (const key of this.#folders.keysIn(prefix)) this.delete(key);
  }

  view(prefix: string): Storage {
    return new StorageView(this, prefix);
  }

  /** Returns every key and value, for a snapshot. */
  entries(): [string, Json][] {
    return [...this.#values];
  }

  /** Loads keys and values without reporting them as changes. */
  load(entries: Iterable<readonly [string, Json]>): void {
    for (const [key, value] of entries) this.#set(key, value);
  }

  #set(key: string, value: Json): void {
    const before = this.#values.size;
    this.#values.set(key, value);
    if (this.#values.size > before) this.#folders.add(key);
  }
}

/**
 * The names in each folder. The time of a query depends on the size of its folder only, not on the
 * rest of the store.
 */
class Folders {
  /**
   * The names in each folder, by its path: `''` or ending with a slash. Names of folders end with a
   * slash.
   */
  readonly #names = new Map<string, Set<string>>();

  add(key: string): void {
    this.#add(key, folderOf(key));
  }

  remove(key: string): void {
    this.#remove(key, folderOf(key));
  }

  #add(path: string, folder: string): void {
    const name = path.slice(folder.length);
    const names = this.#names.get(folder);
    if (names !== undefined) {
      names.add(name);
      return;
    }
    this.#names.set(folder, new Set([name]));
    if (folder !== '') this.#add(folder, parentOf(folder));
  }

  #remove(path: string, folder: string): void {
    const names = this.#names.get(folder);
    names?.delete(path.slice(folder.length));
    if (names?.size !== 0) return;
    this.#names.delete(folder);
    if (folder !== '') this.#remove(folder, parentOf(folder));
  }

  namesIn(folder: string): string[] {
    return [...(this.#names.get(folder) ?? [])];
  }

  /** Returns the keys in a folder at any depth. */
  keysIn(folder: string): string[] {
    const keys: string[] = [];
    const collect = (path: string): void => {
      for (const name of this.#names.get(path) ?? []) {
        if (name.endsWith('/')) collect(path + name);
        else keys.push(path + name);
      }
    };
    collect(folder);
    return keys;
  }
}

/** Returns the folder of a key. A key that ends with a slash has an empty name in its folder. */
function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1);
}

function parentOf(folder: string): string {
  return folderOf(folder.slice(0, -1));
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

/**
 * Returns the names directly below a folder, in the form of a response; the empty path is the
 * engine's root.
 */
export function listFolder(storage: Storage, path: string): { readonly data: { readonly keys: string[] } } {
  const inner = trimmed(path, '/');
  return { data: { keys: storage.list(inner === '' ? '' : `${inner}/`) } };
}
