import { type FieldValues, autoSnapshotOf } from '../../model';
import type { SnapshotConfig } from './store';
import type { SnapshotWire } from './wire';

/**
 * What a write leaves behind: what was sent, for the rest what was there before, for the rest the defaults. Fields of
 * other storage types are ignored, and forgotten when the storage type changes.
 */
export function mergeConfig(
  before: SnapshotConfig | undefined,
  sent: FieldValues,
  wire: SnapshotWire,
): FieldValues {
  const values: FieldValues = { ...before, ...sent };
  const own = Object.entries(autoSnapshotOf(values.storage_type).fields).filter(
    ([name, { identity }]) => identity !== true && wire.knows(name),
  );
  return Object.fromEntries(
    own
      .map(([name, field]) => [name, values[name] ?? field.default] as const)
      .filter(([, value]) => value !== undefined),
  );
}
