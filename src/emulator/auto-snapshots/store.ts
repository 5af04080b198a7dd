import type { SnapshotStorageTypeName } from '../../model';
import type { JsonObject } from '../core/primitives/json';
import type { Storage } from '../core/primitives/storage';

/**
 * A configuration, with Vault's field names. The fields beyond the common ones belong to its
 * storage type.
 */
export interface SnapshotConfig extends JsonObject {
  /** The interval in seconds. */
  readonly interval: number;
  readonly retain: number;
  readonly path_prefix: string;
  readonly file_prefix: string;
  readonly storage_type: SnapshotStorageTypeName;
}

/** The progress of a configuration. Times are milliseconds since 1970. */
interface SnapshotProgress extends JsonObject {
  /** The time that the interval counts from. */
  readonly since: number;
  /** The number of failed attempts since the last success. */
  readonly errors: number;
  /** The current or most recent attempt. */
  readonly current: { readonly start: number; readonly url: string } | null;
  /** The last finished attempt. Its error is empty if it succeeded. */
  readonly last: { readonly start: number; readonly end: number; readonly error: string } | null;
  /** The URL of the last snapshot. */
  readonly lastUrl: string;
  /** The size of the last snapshot. */
  readonly lastBytes: number | null;
  /** The time of the last automatic load. */
  readonly autoloaded: number | null;
}

/**
 * The folder of everything that a cluster stores about automated snapshots. It is not replicated.
 */
export const SNAPSHOT_STORAGE_PREFIX = 'core/snapshots/';

/** The configurations of a cluster, and their progress. */
export class SnapshotStore {
  readonly #configs: Storage;
  readonly #progresses: Storage;

  constructor(storage: Storage) {
    this.#configs = storage.view(`${SNAPSHOT_STORAGE_PREFIX}configs/`);
    this.#progresses = storage.view(`${SNAPSHOT_STORAGE_PREFIX}progress/`);
  }

  names(): string[] {
    return this.#configs.list('');
  }

  config(name: string): SnapshotConfig | undefined {
    return this.#configs.get<SnapshotConfig>(name);
  }

  putConfig(name: string, config: SnapshotConfig): void {
    this.#configs.put(name, config);
  }

  progress(name: string): SnapshotProgress | undefined {
    return this.#progresses.get<SnapshotProgress>(name);
  }

  /** Records a change of a configuration's progress. */
  note(name: string, change: Partial<SnapshotProgress>): void {
    const before = this.progress(name) ?? NONE;
    const after: SnapshotProgress = Object.assign({}, before, change);
    this.#progresses.put(name, after);
  }

  delete(name: string): void {
    this.#configs.delete(name);
    this.#progresses.delete(name);
  }
}

const NONE: SnapshotProgress = {
  since: 0,
  errors: 0,
  current: null,
  last: null,
  lastUrl: '',
  lastBytes: null,
  autoloaded: null,
};
