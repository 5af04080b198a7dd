import type { Field, ObjectDefinition, Rule } from '../definition/field';
import { COMMON_FIELDS, type SnapshotStorageTypeName } from './fields';
import { COMMON_RULES } from './common-rules';

/** A service that snapshots can be written to. */
export interface AutoSnapshotBackend {
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
export const AUTO_SNAPSHOT: ObjectDefinition = {
  name: 'auto_snapshot',
  title: 'automated snapshot',
  path: 'sys/storage/raft/snapshot-auto/config',
  edition: 'enterprise',
  restricted: true,
  doc:
    'A configuration of automated snapshots of the integrated storage, written on an interval to a local directory ' +
    'or to a cloud bucket or container.',
  section: '4.5',
  fields: COMMON_FIELDS,
  rules: COMMON_RULES,
};

/** The path of the statuses, below which a configuration's name stands. Interface section 4.4. */
export const SNAPSHOT_STATUS_PATH = 'sys/storage/raft/snapshot-auto/status';

export function autoSnapshotBackend(
  facts: Omit<AutoSnapshotBackend, 'definition'>,
  rules: readonly Rule[],
): AutoSnapshotBackend {
  return {
    ...facts,
    definition: {
      ...AUTO_SNAPSHOT,
      fields: { ...COMMON_FIELDS, ...facts.fields },
      rules: [...COMMON_RULES, ...rules],
    },
  };
}
