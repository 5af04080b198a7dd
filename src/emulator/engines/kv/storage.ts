import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';

/** Where version 1 of the engine keeps its secrets. */
export function unversionedSecrets(storage: Storage): Storage {
  return storage.view('secrets/');
}

/** Where version 2 of the engine keeps its secrets. */
export function versionedSecrets(storage: Storage): Storage {
  return storage.view('versioned/');
}

/** A secret with all its versions. Times are milliseconds since 1970. */
export interface Secret extends JsonObject {
  readonly createdAt: number;
  readonly updatedAt: number;
  /** 0 until the first version is written. */
  readonly currentVersion: number;
  readonly oldestVersion: number;
  /** 0 leaves the choice to the mount. */
  readonly maxVersions: number;
  readonly casRequired: boolean;
  /** Seconds; 0 leaves the choice to the mount. */
  readonly deleteVersionAfter: number;
  readonly customMetadata: Readonly<Record<string, string>> | null;
  readonly versions: Readonly<Record<string, Version>>;
}

export interface Version extends JsonObject {
  readonly createdAt: number;
  /** From when on the version counts as deleted; null for never. */
  readonly deletedAt: number | null;
  readonly destroyed: boolean;
  /** Null once destroyed. */
  readonly data: JsonObject | null;
}

/** Settings of a whole mount. */
export interface MountSettings extends JsonObject {
  /** 0 stands for the engine's default of 10. */
  readonly max_versions: number;
  readonly cas_required: boolean;
  /** Seconds; 0 for none, negative to switch the secrets' own settings off. */
  readonly delete_version_after: number;
}

const SETTINGS_KEY = 'config';
const DEFAULT_SETTINGS: MountSettings = { max_versions: 0, cas_required: false, delete_version_after: 0 };

export function mountSettings(storage: Storage): MountSettings {
  return storage.get<MountSettings>(SETTINGS_KEY) ?? DEFAULT_SETTINGS;
}

export function saveMountSettings(storage: Storage, settings: MountSettings): void {
  storage.put(SETTINGS_KEY, settings);
}
