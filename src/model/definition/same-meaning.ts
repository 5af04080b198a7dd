import { tryParseDuration } from '../durations';
import { stringSet } from './coerce';
import type { Field, Fields, FieldType, FieldValues } from './field';

/**
 * Whether two values of a field mean the same, such as `24h` and `86400`, or a set in two orders.
 * An absent field means the same as its default or an empty value.
 */
export function sameMeaning(field: Field, one: unknown, other: unknown): boolean {
  const [a, b] = [given(field, one), given(field, other)];
  if (field.sameMeaning) return field.sameMeaning(a, b);
  if (field.ignoreCase) return String(a).toLowerCase() === String(b).toLowerCase();
  return SAME[field.type](a, b);
}

/** Returns the names of the fields that have different meanings in two objects. */
export function differingFields(fields: Fields, one: FieldValues, other: FieldValues): readonly string[] {
  return Object.entries(fields)
    .filter(([name, field]) => !sameMeaning(field, one[name], other[name]))
    .map(([name]) => name);
}

/** Returns the value of a field that is empty. */
export function emptyValue({ type }: Field): unknown {
  return EMPTY[type];
}

/**
 * Returns a comparison of values. `form` must return the same for all values with the same meaning.
 */
export function sameBy(form: (value: unknown) => unknown): (one: unknown, other: unknown) => boolean {
  return (one, other) => form(one) === form(other);
}

function given(field: Field, value: unknown): unknown {
  const isLeftOut = value === undefined || value === null || value === '';
  return isLeftOut ? (field.default ?? emptyValue(field)) : value;
}

const EMPTY: Readonly<Record<FieldType, unknown>> = {
  string: '',
  integer: 0,
  boolean: false,
  duration: 0,
  string_set: [],
  string_list: [],
  string_map: {},
};

const SAME: Readonly<Record<FieldType, (one: unknown, other: unknown) => boolean>> = {
  string: sameBy(String),
  integer: sameBy(String),
  boolean: sameBy(String),
  duration: sameBy(seconds),
  string_set: sameBy((value) => JSON.stringify([...new Set(stringSet(value) ?? [value])].sort())),
  string_list: sameBy((value) => JSON.stringify(stringSet(value) ?? [value])),
  string_map: sameBy((value) => JSON.stringify(Object.entries(value ?? {}).sort())),
};

/** Returns the seconds of a duration. Another text equals only itself. */
function seconds(value: unknown): unknown {
  const parsed = tryParseDuration(value);
  return parsed === undefined ? value : Math.trunc(parsed);
}
