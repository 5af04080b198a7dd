import { AUDIT_STORAGE_PREFIX } from '../core/audit';
import { SNAPSHOT_STORAGE_PREFIX } from '../auto-snapshots/store';
import type { MountEntry } from '../core/backend';
import { OWN_SETTINGS_PREFIX } from '../stored-settings';
import { type Json, isJsonObject } from '../core/primitives/json';
import type { MemoryStorage } from '../core/primitives/storage';

/** Data that belongs to one cluster only: its identity, its tokens, and its part in replication. */
const OWN_PREFIXES = [
  'core/tokens/',
  'core/identity',
  'core/wrapping/',
  'core/replication/',
  SNAPSHOT_STORAGE_PREFIX,
  OWN_SETTINGS_PREFIX,
];
const MOUNT_PREFIX = 'core/mounts/';
/** Of what says of itself whether it is local. */
const LOCAL_OR_NOT = [MOUNT_PREFIX, AUDIT_STORAGE_PREFIX];
const DATA_PREFIX = 'logical/';

/** Tells which keys of a cluster's storage belong to all clusters of its replication set. */
export class ReplicatedKeys {
  readonly #mounts = new Map<string, MountEntry>();

  readonly #storage: MemoryStorage;

  constructor(storage: MemoryStorage) {
    this.#storage = storage;
    for (const key of storage.keys(MOUNT_PREFIX)) this.note(MOUNT_PREFIX + key);
  }

  /** Takes notice of a change; of removed mounts it remembers whose data is whose. */
  note(key: string): void {
    if (!key.startsWith(MOUNT_PREFIX)) return;
    const entry = this.#storage.get<MountEntry>(key);
    if (entry !== undefined) this.#mounts.set(entry.uuid, entry);
  }

  /** @param value to be written to the key; left out for a key that is there, or is to be deleted. */
  includes(key: string, value: Json | undefined = this.#storage.get(key)): boolean {
    if (key.startsWith(DATA_PREFIX)) return this.mountOf(key)?.local !== true;
    if (LOCAL_OR_NOT.some((prefix) => key.startsWith(prefix))) {
      return !isJsonObject(value) || value['local'] !== true;
    }
    return !OWN_PREFIXES.some((prefix) => key.startsWith(prefix));
  }

  /** The mount that a key's data belongs to. */
  mountOf(key: string): MountEntry | undefined {
    if (!key.startsWith(DATA_PREFIX)) return undefined;
    return this.#mounts.get(key.slice(DATA_PREFIX.length, key.indexOf('/', DATA_PREFIX.length)));
  }

  /** The keys that are replicated, with their values. */
  entries(): [string, Json][] {
    return this.#storage.entries().filter(([key, value]) => this.includes(key, value));
  }
}
