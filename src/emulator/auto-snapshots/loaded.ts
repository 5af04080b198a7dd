import type { LoadedSnapshot } from '../../model';
import { openRefusal } from '../core/errors';
import { timestamp } from '../core/primitives/clock';
import { uuid } from '../core/primitives/identifiers';
import type { JsonObject } from '../core/primitives/json';
import { MemoryStorage, type Storage } from '../core/primitives/storage';
import { readSnapshot, SnapshotError, type SnapshotHost } from './archive';
import { SNAPSHOT_STORAGE_PREFIX } from './store';

/** How long a server keeps a loaded snapshot. */
const LIFETIME_MS = 72 * 3600 * 1000;

/** The time that loading takes: long enough for clients to see the status `loading`. */
const LOADING_MS = 200;

/** The configuration whose storage a snapshot was loaded from. */
interface Source {
  readonly config: string;
  readonly url: string;
}

/** The stored part of a loaded snapshot. Times are milliseconds since 1970. */
interface Loaded extends JsonObject {
  readonly id: string;
  readonly loadedAt: number;
  readonly status: 'loading' | 'ready' | 'error';
  /** The error of the load; empty unless the status is `error`. */
  readonly error: string;
  readonly source: { readonly config: string; readonly url: string } | null;
}

const KEY = 'loaded';

/**
 * The loaded snapshot of a cluster, at most one. Its data is in the memory of the node that loaded
 * it.
 */
export class LoadedSnapshots {
  readonly #host: SnapshotHost;
  readonly #records: Storage;
  /**
   * The snapshot that this node is loading or has loaded. Its contents are missing until it is
   * ready.
   */
  #here: { readonly id: string; readonly contents?: Storage } | undefined;

  constructor(host: SnapshotHost) {
    this.#host = host;
    this.#records = host.storage.view(SNAPSHOT_STORAGE_PREFIX);
  }

  ids(): string[] {
    const current = this.#current();
    return current === undefined ? [] : [current.id];
  }

  /** @returns `undefined` if no snapshot with that id is loaded. */
  describe(id: string): LoadedSnapshot | undefined {
    const loaded = this.#current();
    return loaded?.id === id ? this.#described(loaded) : undefined;
  }

  /**
   * Starts to load a snapshot.
   *
   * @param content reads the snapshot; it is called once, and may fail.
   * @throws LogicalError if a snapshot is already loaded.
   */
  load(content: () => Promise<Buffer>, source?: Source): LoadedSnapshot {
    const before = this.#current();
    if (before !== undefined) throw refused(`snapshot ${before.id} is already loaded`);
    const loaded: Loaded = {
      id: uuid(),
      loadedAt: this.#host.clock.now(),
      status: 'loading',
      error: '',
      source: source ? { ...source } : null,
    };
    this.#records.put(KEY, loaded);
    this.#here = { id: loaded.id };
    this.#host.clock.schedule(LOADING_MS, () => this.#finish(loaded, content));
    return this.#described(loaded);
  }

  /** Loads a snapshot after unloading the present one. */
  replace(content: () => Promise<Buffer>, source: Source): LoadedSnapshot {
    this.#forget();
    return this.load(content, source);
  }

  /** @throws LogicalError if the snapshot is still being loaded, unless `force` is set. */
  unload(id: string, force: boolean): undefined {
    const loaded = this.#current();
    if (loaded?.id !== id) return undefined;
    if (loaded.status === 'loading' && !force) throw refused(`snapshot ${id} is still being loaded`);
    this.#forget();
    return undefined;
  }

  #forget(): void {
    this.#records.delete(KEY);
    this.#here = undefined;
  }

  /**
   * Returns the cluster's storage at the time of the snapshot.
   *
   * @throws LogicalError if no snapshot with that id is ready.
   */
  contentsOf(id: string): Storage {
    const loaded = this.describe(id);
    if (loaded === undefined) throw refused(`no snapshot with the id ${id} is loaded`);
    const contents = this.#here?.contents;
    if (loaded.status !== 'ready' || contents === undefined) {
      throw refused(`snapshot ${id} is not ready: its status is ${loaded.status}`);
    }
    return contents;
  }

  async #finish(loaded: Loaded, content: () => Promise<Buffer>): Promise<void> {
    const outcome = await this.#read(content).then(
      (contents) => ({ contents }),
      (failure: unknown) => ({ error: failure instanceof Error ? failure.message : String(failure) }),
    );
    // The snapshot may have been unloaded in the meantime.
    if (this.#current()?.id !== loaded.id) return;
    if ('error' in outcome) {
      this.#records.put(KEY, { ...loaded, status: 'error', error: outcome.error });
      return;
    }
    this.#here = { id: loaded.id, contents: outcome.contents };
    this.#records.put(KEY, { ...loaded, status: 'ready' });
  }

  async #read(content: () => Promise<Buffer>): Promise<Storage> {
    const { meta, entries } = await readSnapshot(await content(), this.#host.unsealKey);
    if (meta.ClusterID !== this.#host.id) {
      throw new SnapshotError('the snapshot is not one of this cluster');
    }
    const storage = new MemoryStorage();
    storage.load(entries);
    return storage;
  }

  /** Returns the stored part, unless the snapshot has expired. */
  #current(): Loaded | undefined {
    const stored = this.#records.get<Loaded>(KEY);
    return stored && this.#host.clock.now() < stored.loadedAt + LIFETIME_MS ? stored : undefined;
  }

  #described({ id, loadedAt, status, error, source }: Loaded): LoadedSnapshot {
    const isLost = status !== 'error' && this.#here?.id !== id;
    const shownError = isLost ? 'the active node of the cluster has changed' : error;
    return {
      ...(source && { auto_config_name: source.config }),
      cluster_id: this.#host.id,
      created_at: timestamp(loadedAt),
      expires_at: timestamp(loadedAt + LIFETIME_MS),
      ...(shownError !== '' && { error: shownError }),
      snapshot_id: id,
      status: isLost ? 'error' : status,
      ...(source && { url: source.url }),
    };
  }
}

function refused(reason: string): Error {
  return openRefusal('loadedSnapshots', reason);
}
