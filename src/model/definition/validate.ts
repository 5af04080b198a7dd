import type { FieldValues, Finding, ObjectDefinition } from './field';

/**
 * Checks `values` against every rule of `definition` whose fields are all known.
 *
 * @param unknown fields whose value is decided later (Terraform's unknown values, CDK tokens).
 */
export function validate(
  definition: ObjectDefinition,
  values: FieldValues,
  unknown: ReadonlySet<string> = new Set(),
): readonly Finding[] {
  return definition.rules
    .filter((rule) => !rule.reads.some((field) => unknown.has(field)))
    .flatMap((rule) => rule.check(values));
}
