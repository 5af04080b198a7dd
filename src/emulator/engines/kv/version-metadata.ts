import type { JsonObject } from '../../core/primitives/json';
import { timestamp } from '../../core/primitives/timestamps';
import type { Secret, Version } from './storage';

/** What reads and writes tell about one version. */
export function versionMetadata(secret: Secret, number: number): JsonObject {
  const version = secret.versions[number];
  if (version === undefined) throw new RangeError(`the secret has no version ${number}`);
  return { version: number, ...versionTimes(version), custom_metadata: secret.customMetadata };
}

/** What both the metadata of a secret and those of a version tell about a version. */
export function versionTimes({ createdAt, deletedAt, destroyed }: Version): JsonObject {
  return {
    created_time: timestamp(createdAt),
    deletion_time: deletedAt === null ? '' : timestamp(deletedAt),
    destroyed,
  };
}
