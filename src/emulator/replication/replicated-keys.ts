import { AUDIT_STORAGE_PREFIX, type AuditDevice } from '../audit';
import { SNAPSHOT_STORAGE_PREFIX } from '../auto-snapshots/store';
import type { MountEntry } from '../core/backend';
import type { Json } from '../core/primitives/json';
import type { MemoryStorage } from '../core/stores/storage';

/** What each cluster has for itself: who it is, what it issued, and how it takes part in replication. */
const OWN_PREFIXES = [
  'core/tokens/',
  'core/identity',
  'core/wrapping/',
  'core/replication/',
  SNAPSHOT_STORAGE_PREFIX,
];
const MOUNT_PREFIX = 'core/mounts/';
const DATA_PREFIX = 'logical/';

/** Tells which keys of a cluster's storage belong to all clusters of its replication set. */
export class ReplicatedKeys {
  readonly #mounts = new Map<string, MountEntry>();

  readonly #storage: MemoryStorage;

  constructor(storage: MemoryStorage) {
    this.#storage = storage;
    for (const key of storage.keys(MOUNT_PREFIX))
      this.note(MOUNT_PREFIX + key, storage.get(MOUNT_PREFIX + key));
  }

  /** Takes notice of a change; of removed mounts it remembers whose data is whose. */
  note(key: string, value: Json | undefined): void {
    if (value !== undefined && key.startsWith(MOUNT_PREFIX)) {
      const entry = value as unknown as MountEntry;
      this.#mounts.set(entry.uuid, entry);
    }
  }

  /** @param value to be written to the key; left out for a key that is there, or is to be deleted. */
  includes(key: string, value: Json | undefined = this.#storage.get(key)): boolean {
    if (key.startsWith(DATA_PREFIX)) return this.mountOf(key)?.local !== true;
    if (key.startsWith(MOUNT_PREFIX)) return (value as unknown as MountEntry | undefined)?.local !== true;
    if (key.startsWith(AUDIT_STORAGE_PREFIX)) return (value as AuditDevice | undefined)?.local !== true;
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
