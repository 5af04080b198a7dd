import type { Construct } from 'constructs';
import {
  describeFinding,
  namespacePathProblem,
  validate,
  type FieldValues,
  type Finding,
  type ObjectDefinition,
} from '../../src/model';
import { asTerraformReads, isUnknown } from './known';
import { phrase, type Phrase } from '../../src/model/messages';
import { appNotation } from './app-language';
import { warn } from './report';

/**
 * Returns the findings of the model on an object, as texts for its author. The plan checks rules
 * about fields that only Terraform knows. Warnings are added to the construct once no field is
 * pending.
 *
 * @param pending fields that may still change.
 * @param files the files that fields come from, by field.
 */
export function problemsOf(
  construct: Construct,
  definition: Pick<ObjectDefinition, 'title' | 'fields' | 'rules'> & Partial<Pick<ObjectDefinition, 'name'>>,
  values: FieldValues,
  pending: readonly string[] = [],
  files: Readonly<Record<string, string | undefined>> = {},
): string[] {
  const { known, unknown } = whatIsKnown(values);
  const findings = validate(definition, known, new Set([...unknown, ...pending])).map((finding) => {
    const file = files[finding.field ?? ''];
    return file === undefined ? finding : { ...finding, file };
  });
  const name = known.name as string | undefined;
  const placed = findings.map((finding) => ({ definition, name, finding }));
  return pending.length === 0 ? errorsIn(construct, placed) : textsOf(placed, 'error');
}

/** A finding of the model, with the object that it is about. */
interface ObjectFinding {
  readonly definition: Parameters<typeof describeFinding>[0];
  /** Absent if the name is not known. */
  readonly name?: string | undefined;
  readonly finding: Finding;
}

/** Shows the warnings among findings, and returns the texts of the errors. */
export function errorsIn(construct: Construct, findings: readonly ObjectFinding[]): string[] {
  for (const warning of textsOf(findings, 'warning')) warn(construct, warning);
  return textsOf(findings, 'error');
}

function textsOf(findings: readonly ObjectFinding[], severity: Finding['severity']): string[] {
  return findings
    .filter(({ finding }) => finding.severity === severity)
    .map(({ definition, name, finding }) => describeFinding(definition, name, finding, appNotation()).line);
}

/** Returns the problems of an object's namespace, if it is known. */
export function namespaceProblems(title: Phrase, namespace: string | undefined): Phrase[] {
  const problem =
    namespace === undefined || isUnknown(namespace) ? undefined : namespacePathProblem(namespace);
  if (!problem) return [];
  return [
    phrase`${title}: namespace ${problem.problem}; received ${problem.received}; allowed: ${problem.allowed};
      ${problem.cure}`,
  ];
}

/**
 * Returns the values that are known at synthesis, as Terraform passes them on, and the names of all
 * other values.
 */
export function whatIsKnown(values: FieldValues): { known: FieldValues; unknown: ReadonlySet<string> } {
  const unknown = new Set<string>();
  const known: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    if (isUnknown(value)) unknown.add(field);
    else known[field] = asTerraformReads(value);
  }
  return { known, unknown };
}
