import type { FieldValues } from '../definition/field';
import { differingFields } from '../definition/same-meaning';
import type { ManagedKeyBackend } from './backend';
import type { StoredManagedKey } from './wire';

/**
 * The names of the fields in which a stored key is not what is wanted. Fields that the server hides are never among
 * them: nothing can be said about those.
 */
export function differingManagedKeyFields(
  { definition }: ManagedKeyBackend,
  wanted: FieldValues,
  stored: Pick<StoredManagedKey, 'fields' | 'hidden'>,
): readonly string[] {
  return differingFields(definition.fields, wanted, stored.fields).filter(
    (name) => !definition.fields[name]?.sensitive && !stored.hidden.includes(name),
  );
}
