import type { Field, FieldValues } from '../../model';

/** The texts among an object's values that are secret by the model's account. */
export function secretsAmong(
  fields: Readonly<Record<string, Field>>,
  values: FieldValues,
): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    fields[name]?.sensitive && typeof value === 'string' ? [value] : [],
  );
}
