import { backendOfType, type BackedObject } from '../definition/backends';
import type { FieldValues, Finding, ObjectDefinition } from '../definition/field';
import type { ValuesOf, WrittenValuesOf } from '../definition/typed-values';
import { validate } from '../definition/validate';
import { AWS_S3, type AWS_S3_FIELDS } from './aws-s3';
import { AZURE_BLOB, type AZURE_BLOB_FIELDS } from './azure-blob';
import { AUTO_SNAPSHOT_BASE, type AutoSnapshotBackend } from './auto-snapshot-backend';
import type { COMMON_FIELDS, SnapshotStorageTypeName } from './fields';
import { GOOGLE_GCS, type GOOGLE_GCS_FIELDS } from './google-gcs';
import { LOCAL, type LOCAL_FIELDS } from './local';

/** Configurations of automated snapshots, each with one storage. */
export const AUTO_SNAPSHOT: BackedObject<AutoSnapshotBackend> = {
  ...AUTO_SNAPSHOT_BASE,
  typeField: 'storage_type',
  backends: { local: LOCAL, 'aws-s3': AWS_S3, 'azure-blob': AZURE_BLOB, 'google-gcs': GOOGLE_GCS },
};

/** The storage types by name, in the order of the reference. */
export const AUTO_SNAPSHOT_BACKENDS = AUTO_SNAPSHOT.backends;

/**
 * The configured values of automated snapshots, by the product's field names: the common fields,
 * and those of the storage.
 */
export type AutoSnapshotValues = Omit<WrittenValuesOf<typeof COMMON_FIELDS>, 'storage_type'> & {
  readonly storage_type: SnapshotStorageTypeName;
} & ValuesOf<typeof LOCAL_FIELDS> &
  ValuesOf<typeof AWS_S3_FIELDS> &
  ValuesOf<typeof AZURE_BLOB_FIELDS> &
  ValuesOf<typeof GOOGLE_GCS_FIELDS>;

/**
 * Returns the definition of configurations with a storage type. Without a known type, it has only
 * the common fields.
 */
export function autoSnapshotOf(storageType: unknown): ObjectDefinition {
  return backendOfType(AUTO_SNAPSHOT, storageType)?.definition ?? AUTO_SNAPSHOT;
}

/** Checks a whole configuration by its own `storage_type`. */
export function validateAutoSnapshot(values: FieldValues, unknown?: ReadonlySet<string>): readonly Finding[] {
  return validate(autoSnapshotOf(values.storage_type), values, unknown);
}
