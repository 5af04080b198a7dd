import type { Field, ObjectDefinition, Rule } from '../definition/field';
import { commonFields, type SnapshotStorageTypeName } from './fields';
import { commonRules } from './common-rules';

/** A service that snapshots can be written to. */
export interface SnapshotStorageType {
  readonly type: SnapshotStorageTypeName;
  /** In sentences: `AWS S3`. */
  readonly title: string;
  /** In identifiers: `aws_s3`. */
  readonly block: string;
  readonly doc: string;
  /** The fields that this storage type has beyond the common ones. */
  readonly fields: Readonly<Record<string, Field>>;
  /** A whole configuration of this storage type: common fields and its own. */
  readonly definition: ObjectDefinition;
}

/** What all configurations have in common, whatever their storage type. Interface sections 2.5, 4.4 and 4.5. */
export const autoSnapshot: ObjectDefinition = {
  name: 'auto_snapshot',
  title: 'automated snapshot',
  path: 'sys/storage/raft/snapshot-auto/config',
  edition: 'enterprise',
  restricted: true,
  doc:
    'A configuration of automated snapshots of the integrated storage, written on an interval to a local directory ' +
    'or to a cloud bucket or container.',
  section: '4.5',
  fields: commonFields,
  rules: commonRules,
};

/** The path of the statuses, below which a configuration's name stands. Interface section 4.4. */
export const SNAPSHOT_STATUS_PATH = 'sys/storage/raft/snapshot-auto/status';

export function storageType(
  facts: Omit<SnapshotStorageType, 'definition'>,
  rules: readonly Rule[],
): SnapshotStorageType {
  return {
    ...facts,
    definition: {
      ...autoSnapshot,
      fields: { ...commonFields, ...facts.fields },
      rules: [...commonRules, ...rules],
    },
  };
}
