import type { Field, FieldValues } from '../definition/field';
import { autoSnapshotOf } from './auto-snapshot';

/**
 * Returns a configuration from a server's answer in the form in which it is written: only fields of
 * its storage type that are set. For a field that is not set, servers return an empty text; for
 * `google_endpoint`, they return `false`.
 */
export function decodeAutoSnapshot(data: FieldValues): FieldValues {
  const { fields } = autoSnapshotOf(data.storage_type);
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, decodeValue(field, data[name])] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function decodeValue(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer': {
      const number = decodeNumber(value);
      return number === undefined ? undefined : Number(number);
    }
    case 'duration':
      return decodeNumber(value);
    default:
      return typeof value === 'string' && value !== '' ? value : undefined;
  }
}

/** Returns a number. JSON readers that keep large numbers exact return them as BigInt. */
function decodeNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}
