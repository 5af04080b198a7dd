import type { FieldValues, Finding, ObjectDefinition } from '../definition/field';
import { validate } from '../definition/validate';
import { AWS_S3 } from './aws-s3';
import { AZURE_BLOB } from './azure-blob';
import { SNAPSHOT_STORAGE_TYPES, type SnapshotStorageTypeName } from './fields';
import { GOOGLE_GCS } from './google-gcs';
import { LOCAL } from './local';
import { AUTO_SNAPSHOT, type AutoSnapshotBackend } from './storage-type';

/** The storage types by name, in the order of the interface document. Interface section 4.5. */
export const AUTO_SNAPSHOT_BACKENDS: Readonly<Record<SnapshotStorageTypeName, AutoSnapshotBackend>> = {
  local: LOCAL,
  'aws-s3': AWS_S3,
  'azure-blob': AZURE_BLOB,
  'google-gcs': GOOGLE_GCS,
};

/** The definition of configurations of a storage type; what all have in common where there is no such type. */
export function autoSnapshotOf(storageType: unknown): ObjectDefinition {
  const name = SNAPSHOT_STORAGE_TYPES.find((known) => known === storageType);
  return name === undefined ? AUTO_SNAPSHOT : AUTO_SNAPSHOT_BACKENDS[name].definition;
}

/** Checks a whole configuration by its own `storage_type`. */
export function validateAutoSnapshot(values: FieldValues, unknown?: ReadonlySet<string>): readonly Finding[] {
  return validate(autoSnapshotOf(values.storage_type), values, unknown);
}
