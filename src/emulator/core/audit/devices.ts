import { createHmac } from 'node:crypto';
import { invalidRequest, openRefusal } from '../errors';
import type { EmulatorClock } from '../primitives/clock';
import { newMountAccessor, uuid } from '../primitives/identifiers';
import type { JsonObject } from '../primitives/json';
import type { Storage } from '../primitives/storage';
import { type EntryFor, testEntry } from './entries';
import { Hashing } from './hashing';
import { type DeviceSettings, readSettings } from './device-settings';
import { writeEntry } from './writing';

/** An audit device as it is stored. */
export interface StoredAuditDevice extends JsonObject {
  /** The path with a trailing slash. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly options: Readonly<Record<string, string>>;
  /** Whether the device is not replicated to secondaries. */
  readonly local: boolean;
  readonly uuid: string;
  readonly accessor: string;
  /** The key of the hashes, unique for every device. */
  readonly salt: string;
}

type NewAuditDevice = Pick<StoredAuditDevice, 'path' | 'type' | 'description' | 'options' | 'local'>;

export const AUDIT_STORAGE_PREFIX = 'core/audit/';

interface Enabled {
  readonly device: StoredAuditDevice;
  readonly settings: DeviceSettings;
  /** Whether the last write of an entry to the device failed. */
  isFailing: boolean;
}

/** The audit devices of a cluster. */
export class AuditDevices {
  readonly #byId = new Map<string, Enabled>();
  readonly #storage: Storage;
  readonly #clock: EmulatorClock;
  readonly #folder: string | undefined;

  /**
   * @param folder the folder that file devices may write to; `undefined` if they must not write.
   */
  constructor(storage: Storage, clock: EmulatorClock, folder: string | undefined) {
    this.#storage = storage;
    this.#clock = clock;
    this.#folder = folder;
    this.load();
  }

  /** Loads all devices from the storage again. */
  load(): void {
    this.#byId.clear();
    for (const id of this.#storage.keys(AUDIT_STORAGE_PREFIX)) this.refresh(id);
  }

  /** Loads one device from the storage again. It may have been deleted. */
  refresh(id: string): void {
    const device = this.#storage.get<StoredAuditDevice>(AUDIT_STORAGE_PREFIX + id);
    if (device === undefined) this.#byId.delete(id);
    else this.#byId.set(id, { device, settings: readSettings(device), isFailing: false });
  }

  get isEnabled(): boolean {
    return this.#byId.size > 0;
  }

  /** Returns all devices, sorted by path. */
  list(): StoredAuditDevice[] {
    return [...this.#byId.values()].map(({ device }) => device).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * @throws LogicalError 400 if the path is taken, the options are not valid, or the device cannot
   *   write.
   */
  enable({ path, type, description, options, local }: NewAuditDevice): void {
    const taken = this.list().some((other) => other.path.startsWith(path) || path.startsWith(other.path));
    if (taken) throw invalidRequest('path already in use');
    const device = {
      path,
      type,
      description,
      options,
      local,
      uuid: uuid(),
      accessor: newMountAccessor(`audit_${type}`),
      salt: uuid(),
    };
    const settings = readSettings(device);
    if (options['skip_test'] !== 'true') {
      const failure = this.#write({ device, settings, isFailing: false }, testEntry(this.#clock.now()));
      if (failure !== undefined) {
        throw openRefusal('auditUnwritable', options['file_path'] ?? '', failure);
      }
    }
    this.#storage.put(AUDIT_STORAGE_PREFIX + device.uuid, device);
    this.refresh(device.uuid);
  }

  /** Disables the device at the path, if there is one. */
  disable(path: string): void {
    const device = this.#at(path);
    if (device === undefined) return;
    this.#storage.delete(AUDIT_STORAGE_PREFIX + device.uuid);
    this.refresh(device.uuid);
  }

  /**
   * Returns the hash that a device's entries have for a text; `undefined` if the device does not
   * exist.
   */
  hash(path: string, text: string): string | undefined {
    const device = this.#at(path);
    return device && saltedHash(device.salt, text);
  }

  /**
   * Writes an entry to all devices.
   *
   * @returns whether at least one device wrote it, or no device is enabled.
   */
  log(entryFor: EntryFor): boolean {
    if (!this.isEnabled) return true;
    // All devices get the entry, even if the first one fails.
    const failures = [...this.#byId.values()].map((enabled) => {
      const failure = this.#write(enabled, entryFor);
      if (failure !== undefined && !enabled.isFailing) {
        process.emitWarning(`audit device ${enabled.device.path} cannot write: ${failure}`);
      }
      enabled.isFailing = failure !== undefined;
      return failure;
    });
    return failures.includes(undefined);
  }

  /** @returns the reason if the write failed. */
  #write({ device, settings }: Enabled, entryFor: EntryFor): string | undefined {
    const hashing = new Hashing((text) => saltedHash(device.salt, text), settings);
    try {
      writeEntry(settings, this.#folder, () => entryFor(hashing, settings));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #at(path: string): StoredAuditDevice | undefined {
    return this.list().find((device) => device.path === path);
  }
}

function saltedHash(salt: string, text: string): string {
  return `hmac-sha256:${createHmac('sha256', salt).update(text).digest('hex')}`;
}
