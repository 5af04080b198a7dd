import type { Field, FieldValues } from '../definition/field';
import { autoSnapshotOf } from './auto-snapshot';

/**
 * A configuration as a server gives it back, brought into the form in which it is written: fields of its storage type
 * alone, and only those that say something. Servers list fields that are not set with an empty text, and
 * `google_endpoint` with `false`.
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

/** JSON readers that keep large numbers whole give them as BigInt. */
function decodeNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}
