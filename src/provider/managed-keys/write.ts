import type { ManagedKey } from '../../client';
import {
  differingManagedKeyFields,
  emptyValue,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  sameMeaning,
  type Field,
  type FieldValues,
} from '../../model';
import { backendIn, flatten, givenIn, versionName, type AttributeValues } from '../objects';

/**
 * Returns the fields of a write: the planned values, and a default or empty value for fields that
 * were removed from the configuration.
 *
 * @param stored the present values on the server; empty if there is no key yet
 */
export function fieldsToWrite(
  plan: AttributeValues,
  config: AttributeValues,
  stored: AttributeValues = {},
): FieldValues {
  const backend = backendIn(MANAGED_KEY, plan);
  const given = flatten(MANAGED_KEY, config, backend);
  const planned = givenIn(MANAGED_KEY, plan, config);
  const fields = Object.entries(backend.definition.fields).filter(([, { identity }]) => !identity);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const value = planned[name] ?? null;
      const isLeftOut = (given[name] ?? null) === null && sameMeaning(field, value, undefined);
      if (!isLeftOut) return [[name, value]];
      // A version without its secret means that someone else manages the secret.
      if (isGiven(planned[versionName(name)])) return [];
      return isStored(name, field, stored) ? [[name, field.default ?? emptyValue(field)]] : [];
    }),
  );
}

function isStored(name: string, field: Field, stored: AttributeValues): boolean {
  if (!field.sensitive) return !sameMeaning(field, stored[name], undefined);
  return [stored[name], stored[versionName(name)]].some(isGiven);
}

function isGiven(value: unknown): boolean {
  return (value ?? null) !== null;
}

/** Whether the server returns the written values. */
export function isAsWritten({ type, name, fields, hidden }: ManagedKey, written: AttributeValues): boolean {
  const backend = MANAGED_KEY_BACKENDS[type];
  const stored = { fields: { ...fields, name }, hidden };
  return differingManagedKeyFields(backend, flatten(MANAGED_KEY, written, backend), stored).length === 0;
}
