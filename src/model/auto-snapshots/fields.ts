import type { Field } from '../definition/field';

/** The services that snapshots can be written to, by the product's names. */
export const SNAPSHOT_STORAGE_TYPES = ['local', 'aws-s3', 'azure-blob', 'google-gcs'] as const;
export type SnapshotStorageTypeName = (typeof SNAPSHOT_STORAGE_TYPES)[number];

/** Fields that configurations of every storage type have. */
export const COMMON_FIELDS = {
  name: { type: 'string', required: true, identity: true, doc: 'Name of the configuration.' },
  interval: {
    type: 'duration',
    required: true,
    doc: 'Time between snapshots: a number of seconds, or a duration such as `24h`. The first snapshot is taken after one interval.',
  },
  retain: {
    type: 'integer',
    default: 1,
    doc: 'Number of snapshots to keep. When a new snapshot exceeds it, the oldest snapshots are deleted.',
  },
  path_prefix: {
    type: 'string',
    required: true,
    doc: 'For `local`, the directory; for the other storage types, the prefix within the bucket or container.',
    inputDoc: 'With `azure-blob` and `google-gcs`, it must end with a `/`.',
  },
  file_prefix: {
    type: 'string',
    default: 'vault-snapshot',
    doc: 'Prefix of the names of snapshot files or objects, within `path_prefix`.',
  },
  storage_type: {
    type: 'string',
    required: true,
    allowed: SNAPSHOT_STORAGE_TYPES,
    doc: 'Type of storage that snapshots are written to. The remaining fields belong to it.',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** The field of every storage type except `local`. */
export const AUTOLOAD_FIELD: Field = {
  type: 'boolean',
  since: '1.21',
  doc: 'Loads each snapshot after it was written, so that single secrets can be recovered from it. Only one configuration of a cluster may do this.',
};
