import { validate, type FieldValues, type Finding, type ObjectDefinition } from '../../../src/model';

/** Findings of one rule. */
export function findingsOf(
  definition: ObjectDefinition,
  rule: string,
  values: FieldValues,
): readonly Finding[] {
  return validate(definition, values).filter((finding) => finding.rule === rule);
}

/** The rules that find something. */
export function rulesBroken(definition: ObjectDefinition, values: FieldValues): readonly string[] {
  return validate(definition, values).map((finding) => finding.rule);
}
