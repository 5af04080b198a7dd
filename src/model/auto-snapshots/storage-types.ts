import type { FieldValues, Finding, ObjectDefinition } from '../definition/field';
import { validate } from '../definition/validate';
import { awsS3Storage } from './aws-s3';
import { azureBlobStorage } from './azure-blob';
import { SNAPSHOT_STORAGE_TYPES, type SnapshotStorageTypeName } from './fields';
import { googleGcsStorage } from './google-gcs';
import { localStorage } from './local';
import { autoSnapshot, type SnapshotStorageType } from './storage-type';

/** The storage types by name, in the order of the interface document. Interface section 4.5. */
export const snapshotStorageTypes: Readonly<Record<SnapshotStorageTypeName, SnapshotStorageType>> = {
  local: localStorage,
  'aws-s3': awsS3Storage,
  'azure-blob': azureBlobStorage,
  'google-gcs': googleGcsStorage,
};

/** The definition of configurations of a storage type; what all have in common where there is no such type. */
export function autoSnapshotOf(storageType: unknown): ObjectDefinition {
  const name = SNAPSHOT_STORAGE_TYPES.find((known) => known === storageType);
  return name === undefined ? autoSnapshot : snapshotStorageTypes[name].definition;
}

/** Checks a whole configuration by its own `storage_type`. */
export function validateAutoSnapshot(values: FieldValues, unknown?: ReadonlySet<string>): readonly Finding[] {
  return validate(autoSnapshotOf(values.storage_type), values, unknown);
}
