import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';

/** Returns the folder of secrets in version 1 of the engine. */
export function unversionedSecrets(storage: Storage): Storage {
  return storage.view('secrets/');
}

/** Returns the folder of secrets in version 2 of the engine. */
export function versionedSecrets(storage: Storage): Storage {
  return storage.view('versioned/');
}

/** A secret with all its versions. Times are milliseconds since 1970. */
export interface Secret extends JsonObject {
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The number of the latest version; 0 before the first write. */
  readonly currentVersion: number;
  readonly oldestVersion: number;
  /** The limit of this secret; 0 for the mount's limit. */
  readonly maxVersions: number;
  readonly casRequired: boolean;
  /** The lifetime of versions in seconds; 0 for the mount's setting. */
  readonly deleteVersionAfter: number;
  readonly customMetadata: Readonly<Record<string, string>> | null;
  readonly versions: Readonly<Record<string, Version>>;
}

export interface Version extends JsonObject {
  readonly createdAt: number;
  /** The time from which the version is deleted; null for never. */
  readonly deletedAt: number | null;
  readonly destroyed: boolean;
  /** The content; null if the version is destroyed. */
  readonly data: JsonObject | null;
}

/** Settings of a whole mount. */
export interface MountSettings extends JsonObject {
  /** The limit of versions; 0 for the engine's default of 10. */
  readonly max_versions: number;
  readonly cas_required: boolean;
  /**
   * The lifetime of versions in seconds; 0 for no end, negative to ignore the settings of secrets.
   */
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
