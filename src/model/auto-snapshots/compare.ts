import type { Field, FieldValues, ObjectDefinition } from '../definition/field';
import { DurationError, parseDuration } from '../durations';

/**
 * Whether a field means the same with either value: `24h` and `86400` do, and so do a field that is left out and one
 * that holds its default, or nothing.
 */
export function sameSnapshotValue(field: Field, one: unknown, other: unknown): boolean {
  return meaning(field, one) === meaning(field, other);
}

/** The names of the fields that do not mean the same in two configurations of one storage type. */
export function differingSnapshotFields(
  definition: ObjectDefinition,
  one: FieldValues,
  other: FieldValues,
): readonly string[] {
  return Object.entries(definition.fields)
    .filter(([name, field]) => !sameSnapshotValue(field, one[name], other[name]))
    .map(([name]) => name);
}

/** What clears a field on the server, which keeps those that a write leaves out. */
export function emptySnapshotValue({ type }: Field): unknown {
  return EMPTY[type];
}

function meaning(field: Field, value: unknown): unknown {
  const given = value ?? field.default ?? emptySnapshotValue(field);
  return field.type === 'duration' ? seconds(given) : given;
}

const EMPTY: Readonly<Partial<Record<Field['type'], unknown>>> = {
  string: '',
  integer: 0,
  boolean: false,
  duration: 0,
};

/** Text that is no duration equals itself alone. */
function seconds(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  try {
    return Math.trunc(parseDuration(value));
  } catch (error) {
    if (error instanceof DurationError) return value;
    throw error;
  }
}
