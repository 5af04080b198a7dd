import { AUDIT_STORAGE_PREFIX } from '../core/audit';
import { SNAPSHOT_STORAGE_PREFIX } from '../auto-snapshots/store';
import type { MountEntry } from '../core/backend';
import { OWN_SETTINGS_PREFIX } from '../stored-settings';
import { type Json, isJsonObject } from '../core/primitives/json';
import type { MemoryStorage } from '../core/primitives/storage';

/**
 * Prefixes of data that belongs to one cluster only: its identity, its tokens, and its replication
 * state.
 */
const OWN_PREFIXES = [
  'core/tokens/',
  'core/identity',
  'core/wrapping/',
  'core/replication/',
  SNAPSHOT_STORAGE_PREFIX,
  OWN_SETTINGS_PREFIX,
];
const MOUNT_PREFIX = 'core/mounts/';
/** Prefixes of records that have a field `local`. */
const LOCAL_OR_NOT = [MOUNT_PREFIX, AUDIT_STORAGE_PREFIX];
const DATA_PREFIX = 'logical/';

/** Whether a key is that of a mount's entry. */
export function isMount(key: string): boolean {
  return key.startsWith(MOUNT_PREFIX);
}

/** Determines which keys of a cluster's storage are replicated to all clusters of its set. */
export class ReplicatedKeys {
  readonly #mounts = new Map<string, MountEntry>();

  readonly #storage: MemoryStorage;

  constructor(storage: MemoryStorage) {
    this.#storage = storage;
    for (const key of storage.keys(MOUNT_PREFIX)) this.note(MOUNT_PREFIX + key);
  }

  /**
   * Records a change. The entries of removed mounts are kept, because their data is deleted later.
   */
  note(key: string): void {
    if (!isMount(key)) return;
    const entry = this.#storage.get<MountEntry>(key);
    if (entry !== undefined) this.#mounts.set(entry.uuid, entry);
  }

  /**
   * Whether a key is replicated.
   *
   * @param value the value to be written; left out for a key that exists, or is to be deleted.
   */
  includes(key: string, value: Json | undefined = this.#storage.get(key)): boolean {
    if (key.startsWith(DATA_PREFIX)) return this.mountOf(key)?.local !== true;
    if (LOCAL_OR_NOT.some((prefix) => key.startsWith(prefix))) {
      return !isJsonObject(value) || value['local'] !== true;
    }
    return !OWN_PREFIXES.some((prefix) => key.startsWith(prefix));
  }

  /** Returns the mount that a key's data belongs to. */
  mountOf(key: string): MountEntry | undefined {
    if (!key.startsWith(DATA_PREFIX)) return undefined;
    return this.#mounts.get(key.slice(DATA_PREFIX.length, key.indexOf('/', DATA_PREFIX.length)));
  }

  /** Returns the replicated keys with their values. */
  entries(): [string, Json][] {
    return this.#storage.entries().filter(([key, value]) => this.includes(key, value));
  }
}
