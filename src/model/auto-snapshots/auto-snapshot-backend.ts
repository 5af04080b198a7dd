import { withDefinition, type Backend, type BackendFacts } from '../definition/backends';
import type { ObjectDefinition } from '../definition/field';
import { COMMON_RULES } from './common-rules';
import { COMMON_FIELDS, type SnapshotStorageTypeName } from './fields';

/** A service that snapshots can be written to. */
export type AutoSnapshotBackend = Backend<SnapshotStorageTypeName>;

/**
 * The definition of the facts that all configurations have in common, whatever their storage type.
 */
export const AUTO_SNAPSHOT_BASE: ObjectDefinition = {
  name: 'auto_snapshot',
  title: 'automated snapshot',
  path: 'sys/storage/raft/snapshot-auto/config',
  edition: 'enterprise',
  restricted: true,
  doc:
    'A configuration of automated snapshots of the integrated storage, written at regular intervals to a local directory ' +
    'or to a cloud bucket or container.',
  fields: COMMON_FIELDS,
  rules: COMMON_RULES,
};

/** The path of the statuses. The name of a configuration follows it. */
export const SNAPSHOT_STATUS_PATH = 'sys/storage/raft/snapshot-auto/status';

export function autoSnapshotBackend(facts: BackendFacts<AutoSnapshotBackend>): AutoSnapshotBackend {
  return withDefinition(AUTO_SNAPSHOT_BASE, facts);
}
