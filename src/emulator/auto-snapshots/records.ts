import { sha256 } from '../core/primitives/identifiers';
import type { JsonObject } from '../core/primitives/json';
import type { Storage } from '../core/primitives/storage';
import type { ClusterParts } from '../core/request/parts';
import { SNAPSHOT_STORAGE_PREFIX } from './store';

/** A snapshot that was recorded instead of written to a cloud. */
interface SnapshotRecord extends JsonObject {
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Snapshots for clouds that the emulator does not connect to, because no endpoint is configured.
 */
export class SnapshotRecords {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage.view(`${SNAPSHOT_STORAGE_PREFIX}recorded/`);
  }

  /** Returns the records of one configuration. */
  of(config: string): Storage {
    return this.#storage.view(`${config}/`);
  }

  /**
   * Returns all records with the names of their configurations, the oldest of each configuration
   * first.
   */
  list(): readonly (SnapshotRecord & { readonly config: string })[] {
    return this.#storage.keys('').flatMap((key) => {
      const record = this.#storage.get<SnapshotRecord>(key);
      return record === undefined ? [] : [{ config: key.slice(0, key.indexOf('/')), ...record }];
    });
  }
}

export function recordOf(url: string, content: Buffer): SnapshotRecord {
  return { url, bytes: content.length, sha256: sha256(content) };
}

/**
 * The snapshots that the control API lists: those that were recorded because no endpoint is
 * configured.
 */
export const SNAPSHOT_ACTIONS = {
  'GET snapshots': ({ cluster }: { readonly cluster: Pick<ClusterParts, 'storage'> }) => ({
    snapshots: new SnapshotRecords(cluster.storage).list(),
  }),
};
