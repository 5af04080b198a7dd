import { createHash } from 'node:crypto';
import type { JsonObject } from '../core/primitives/json';
import type { Storage } from '../core/stores/storage';
import type { ClusterParts } from '../core/parts';
import { SNAPSHOT_STORAGE_PREFIX } from './store';

/** A snapshot that would have gone to a cloud. */
interface SnapshotRecord extends JsonObject {
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What was written to clouds that the emulator does not reach, for want of an endpoint. */
export class SnapshotRecords {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage.view(`${SNAPSHOT_STORAGE_PREFIX}recorded/`);
  }

  /** Those of one configuration. */
  of(config: string): Storage {
    return this.#storage.view(`${config}/`);
  }

  /** All of them, with the names of their configurations, the oldest of each first. */
  list(): readonly (SnapshotRecord & { readonly config: string })[] {
    return this.#storage.keys('').flatMap((key) => {
      const record = this.#storage.get<SnapshotRecord>(key);
      return record === undefined ? [] : [{ config: key.slice(0, key.indexOf('/')), ...record }];
    });
  }
}

export function recordOf(url: string, content: Buffer): SnapshotRecord {
  return { url, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** What the control API tells of snapshots: those that were recorded for want of an endpoint. */
export const SNAPSHOT_ACTIONS = {
  'GET snapshots': ({ cluster }: { readonly cluster: Pick<ClusterParts, 'storage'> }) => ({
    snapshots: new SnapshotRecords(cluster.storage).list(),
  }),
};
