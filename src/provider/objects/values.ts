import type { FieldValues, ObjectDefinition } from '../../model';
import { isKnown, UNKNOWN, type Unknown } from '../../plugin';

/** A configuration, plan or state as Terraform has it, by attribute. */
export type AttributeValues = Readonly<Record<string, unknown>>;

/** The values of an object of any type. */
export function valuesOf(object: object): AttributeValues {
  return Object.fromEntries(Object.entries(object));
}

/** A text among values. Null if it is left out. */
export function textIn(values: AttributeValues, attribute: string): string | null {
  const value = values[attribute];
  return typeof value === 'string' ? value : null;
}

/** The same while planning, when it may not be known yet. */
export function plannedTextIn(values: AttributeValues, attribute: string): string | null | Unknown {
  return isKnown(values[attribute]) ? textIn(values, attribute) : UNKNOWN;
}

/**
 * An object among values: a single block or nested attribute. Empty if it is left out, or not known
 * yet.
 */
export function objectIn(values: AttributeValues, attribute: string): AttributeValues {
  const value = values[attribute];
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is AttributeValues {
  return typeof value === 'object' && value !== null;
}

/** The values of an object's fields, without those that are part of its path. */
export function fieldsIn({ fields }: Pick<ObjectDefinition, 'fields'>, values: AttributeValues): FieldValues {
  const names = Object.keys(fields).filter((name) => !fields[name]?.identity);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
