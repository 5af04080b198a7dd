import {
  describeFinding,
  validate,
  type FieldValues,
  type Finding,
  type ObjectDefinition,
} from '../../../model';
import { invalidRequest } from '../errors';

/** The first thing that a server refuses in an object; nothing where it takes the object. */
export function refusedFinding(definition: ObjectDefinition, values: FieldValues): Finding | undefined {
  const enforced = definition.rules.filter(({ serverAccepts }) => serverAccepts !== true);
  return validate({ ...definition, rules: enforced }, values).find(({ severity }) => severity === 'error');
}

/** @throws LogicalError 400 in the model's words where a server refuses the object. */
export function refuseFindings(
  definition: ObjectDefinition,
  name: string | undefined,
  values: FieldValues,
): void {
  const finding = refusedFinding(definition, values);
  if (finding !== undefined) throw invalidRequest(describeFinding(definition, name, finding).line);
}
