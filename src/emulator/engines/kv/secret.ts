import type { JsonObject } from '../../core/primitives/json';
import { timestamp } from '../../core/primitives/clock';
import type { MountSettings, Secret, Version } from './storage';

const DEFAULT_MAX_VERSIONS = 10;

/** Returns a secret without versions. */
export function emptySecret(now: number): Secret {
  return {
    createdAt: now,
    updatedAt: now,
    currentVersion: 0,
    oldestVersion: 0,
    maxVersions: 0,
    casRequired: false,
    deleteVersionAfter: 0,
    customMetadata: null,
    versions: {},
  };
}

/** Returns the secret with a new version, and without the oldest versions beyond the limit. */
export function withNewVersion(
  secret: Secret | undefined,
  data: JsonObject,
  settings: MountSettings,
  now: number,
): Secret {
  const before = secret ?? emptySecret(now);
  const number = before.currentVersion + 1;
  const version: Version = {
    createdAt: now,
    deletedAt: automaticDeletion(before, settings, now),
    destroyed: false,
    data,
  };
  const kept = Math.max(before.maxVersions, settings.max_versions) || DEFAULT_MAX_VERSIONS;
  const oldest = number - before.oldestVersion >= kept ? number - kept + 1 : before.oldestVersion;
  const versions = Object.entries(before.versions).filter(([other]) => Number(other) >= oldest);
  return {
    ...before,
    createdAt: before.currentVersion === 0 && secret === undefined ? now : before.createdAt,
    updatedAt: now,
    currentVersion: number,
    oldestVersion: oldest,
    versions: Object.fromEntries([...versions, [String(number), version]]),
  };
}

/** Returns the time at which a version that is written or undeleted now will be deleted. */
export function automaticDeletion(secret: Secret, settings: MountSettings, now: number): number | null {
  if (settings.delete_version_after < 0) return null;
  const delays = [secret.deleteVersionAfter, settings.delete_version_after].filter((delay) => delay > 0);
  return delays.length === 0 ? null : now + Math.min(...delays) * 1000;
}

export function isDeleted(version: Version, now: number): boolean {
  return version.deletedAt !== null && version.deletedAt <= now;
}

/**
 * Returns the secret with some of its versions changed. Versions that are unknown or destroyed do
 * not change.
 */
export function withVersions(
  secret: Secret,
  numbers: readonly number[],
  change: (version: Version) => Version,
): Secret {
  const versions: Record<string, Version> = { ...secret.versions };
  for (const number of numbers) {
    const version = versions[number];
    if (version !== undefined && !version.destroyed) versions[number] = change(version);
  }
  return { ...secret, versions };
}

/** Returns the metadata of a version for the responses to reads and writes. */
export function versionMetadata(secret: Secret, number: number): JsonObject {
  const version = secret.versions[number];
  if (version === undefined) throw new RangeError(`the secret has no version ${number}`);
  return { version: number, ...versionTimes(version), custom_metadata: secret.customMetadata };
}

/** Returns the times of a version, for the secret's metadata and for reads. */
export function versionTimes({ createdAt, deletedAt, destroyed }: Version): JsonObject {
  return {
    created_time: timestamp(createdAt),
    deletion_time: deletedAt === null ? '' : timestamp(deletedAt),
    destroyed,
  };
}
