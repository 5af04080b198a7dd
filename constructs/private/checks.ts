import { Annotations } from 'cdktf';
import type { Construct } from 'constructs';
import {
  describeFinding,
  validate,
  type FieldValues,
  type Finding,
  type ObjectDefinition,
} from '../../src/model';
import { asTerraformReads, isUnknown } from './known';

/**
 * What the model finds wrong with an object, in the model's words. Rules about fields that Terraform alone knows
 * are left to the plan. What the author should merely know is noted on the construct, once no field is pending.
 *
 * @param pending fields that may still change.
 */
export function problemsOf(
  construct: Construct,
  definition: ObjectDefinition,
  values: FieldValues,
  pending: readonly string[] = [],
): string[] {
  const unknown = new Set(pending);
  const known: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    if (isUnknown(value)) unknown.add(field);
    else known[field] = asTerraformReads(value);
  }
  const findings = validate(definition, known, unknown);
  if (findings.length === 0) return [];

  const name = known.name as string | undefined;
  const lines = (severity: Finding['severity']): string[] =>
    findings
      .filter((finding) => finding.severity === severity)
      .map((finding) => describeFinding(definition, name, finding).line);
  if (pending.length === 0) {
    for (const warning of lines('warning')) Annotations.of(construct).addWarning(warning);
  }
  return lines('error');
}
