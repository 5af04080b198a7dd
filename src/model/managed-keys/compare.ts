import type { Field, FieldValues } from '../definition/field';
import type { ManagedKeyBackend } from './managed-key-type';
import { valueForm } from './value-forms';
import type { StoredManagedKey } from './wire';

/**
 * Whether a field means the same with either value, whatever form they are in: `"0x0001"` and 1 do, `"sign,verify"`
 * and [4, 3], `rsa` and `RSA`, and so do a field that is left out and one that holds its default, or nothing.
 */
export function sameManagedKeyValue(name: string, field: Field, one: unknown, other: unknown): boolean {
  return meaning(name, field, one) === meaning(name, field, other);
}

/**
 * The names of the fields in which a stored key is not what is wanted. Fields that the server hides are never among
 * them: nothing can be said about those.
 */
export function differingManagedKeyFields(
  { definition }: ManagedKeyBackend,
  wanted: FieldValues,
  stored: Pick<StoredManagedKey, 'fields' | 'hidden'>,
): readonly string[] {
  return Object.entries(definition.fields)
    .filter(([name, { sensitive }]) => sensitive !== true && !stored.hidden.includes(name))
    .filter(([name, field]) => !sameManagedKeyValue(name, field, wanted[name], stored.fields[name]))
    .map(([name]) => name);
}

/** The same text for values that mean the same. */
function meaning(name: string, field: Field, value: unknown): string {
  const given = isNothing(value) ? (field.default ?? '') : valueForm(name, field).fromWire(value);
  const text = isNothing(given) ? '' : String(given);
  return field.ignoreCase === true ? text.toLowerCase() : text;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}
