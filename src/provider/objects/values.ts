import { objectTitle, type FieldValues, type ObjectDefinition } from '../../model';
import { isKnown, UNKNOWN, type Unknown } from '../../plugin';

/** The values of a configuration, plan or state, by attribute. */
export type AttributeValues = Readonly<Record<string, unknown>>;

/** Returns an object of any type as values by attribute. */
export function valuesOf(object: object): AttributeValues {
  return Object.fromEntries(Object.entries(object));
}

/** Returns a text among values; null if it is missing. */
export function textIn(values: AttributeValues, attribute: string): string | null {
  const value = values[attribute];
  return typeof value === 'string' ? value : null;
}

/** Returns a text among values of a plan, which may be unknown. */
export function plannedTextIn(values: AttributeValues, attribute: string): string | null | Unknown {
  return isKnown(values[attribute]) ? textIn(values, attribute) : UNKNOWN;
}

/**
 * Returns an object among values: a single block or nested attribute. Empty if it is missing or
 * unknown.
 */
export function objectIn(values: AttributeValues, attribute: string): AttributeValues {
  const value = values[attribute];
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is AttributeValues {
  return typeof value === 'object' && value !== null;
}

/** Returns the values of an object's fields, without those in its path. */
export function fieldsIn({ fields }: Pick<ObjectDefinition, 'fields'>, values: AttributeValues): FieldValues {
  const names = Object.keys(fields).filter((name) => !fields[name]?.identity);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** Returns the name of an object among its values; `undefined` if it has none that is known. */
export function nameIn(
  { fields }: Pick<ObjectDefinition, 'fields'>,
  values: AttributeValues,
): string | undefined {
  const field = Object.keys(fields).find((name) => fields[name]?.identity);
  return field === undefined ? undefined : (textIn(values, field) ?? undefined);
}

/** Returns the title of an object in messages: `ACL policy "ops"`. */
export function titleIn(
  definition: Pick<ObjectDefinition, 'fields' | 'title'>,
  values: AttributeValues,
): string {
  return objectTitle(definition, nameIn(definition, values));
}
