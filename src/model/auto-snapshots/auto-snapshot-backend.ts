import { withDefinition, type Backend, type BackendFacts } from '../definition/backends';
import type { ObjectDefinition } from '../definition/field';
import { COMMON_RULES } from './common-rules';
import { COMMON_FIELDS, type SnapshotStorageTypeName } from './fields';
import { AUTO_SNAPSHOT_PATH } from '../paths';

/** A service that snapshots can be written to. */
export type AutoSnapshotBackend = Backend<SnapshotStorageTypeName>;

/** The part of the definition that configurations of all storage types have in common. */
export const AUTO_SNAPSHOT_BASE: ObjectDefinition = {
  name: 'auto_snapshot',
  title: 'automated snapshot',
  path: AUTO_SNAPSHOT_PATH,
  edition: 'enterprise',
  restricted: true,
  doc:
    'A configuration of automated snapshots of the integrated storage, written at regular intervals to a local directory ' +
    'or to a cloud bucket or container.',
  fields: COMMON_FIELDS,
  rules: COMMON_RULES,
};

export function autoSnapshotBackend(facts: BackendFacts<AutoSnapshotBackend>): AutoSnapshotBackend {
  return withDefinition(AUTO_SNAPSHOT_BASE, facts);
}
