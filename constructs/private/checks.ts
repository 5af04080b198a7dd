import { Annotations } from 'cdktf';
import type { Construct } from 'constructs';
import {
  describeFinding,
  validate,
  type FieldValues,
  type Finding,
  type ObjectDefinition,
} from '../../src/model';
import { invalidProps } from './errors';
import { asTerraformReads, isUnknown } from './known';

/**
 * What the model finds wrong with an object, in the model's words. Rules about fields that only Terraform knows
 * are left to the plan.
 */
export function errorsOf(definition: ObjectDefinition, values: FieldValues): string[] {
  return describe(definition, values, findings(definition, values, []), 'error');
}

/**
 * Fails for what is known to be wrong already, and notes what its author should know.
 *
 * @param pending fields whose value is not final yet.
 * @throws Error with the construct's path.
 */
export function checkNow(
  construct: Construct,
  definition: ObjectDefinition,
  values: FieldValues,
  pending: readonly string[],
): void {
  const found = findings(definition, values, pending);
  const errors = describe(definition, values, found, 'error');
  if (errors.length > 0) throw invalidProps(construct, errors);
  for (const warning of describe(definition, values, found, 'warning')) {
    Annotations.of(construct).addWarning(warning);
  }
}

function findings(
  definition: ObjectDefinition,
  values: FieldValues,
  pending: readonly string[],
): readonly Finding[] {
  const unknown = Object.keys(values).filter((field) => isUnknown(values[field]));
  const known = Object.entries(values).map(([field, value]) => [field, asTerraformReads(value)]);
  return validate(definition, Object.fromEntries(known) as FieldValues, new Set([...unknown, ...pending]));
}

function describe(
  definition: ObjectDefinition,
  values: FieldValues,
  found: readonly Finding[],
  severity: Finding['severity'],
): string[] {
  const name = typeof values.name === 'string' && !isUnknown(values.name) ? values.name : undefined;
  return found
    .filter((finding) => finding.severity === severity)
    .map((finding) => describeFinding(definition, name, finding).line);
}
