import { validate, type FieldValues, type Finding, type ObjectDefinition } from '../../../src/model';

/** Returns the findings of one rule. */
export function findingsOf(
  definition: ObjectDefinition,
  rule: string,
  values: FieldValues,
): readonly Finding[] {
  return validate(definition, values).filter((finding) => finding.rule === rule);
}

/** Returns the ids of the rules with findings. */
export function rulesBroken(definition: ObjectDefinition, values: FieldValues): readonly string[] {
  return validate(definition, values).map((finding) => finding.rule);
}
