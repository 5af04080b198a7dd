import { describeFault, findAclFault } from '../../model/acl';
import { check, describeFinding, type Environment, type Finding } from '../../sentinel';
import { visible } from '../../text';
import { EXIT, type ExitCode } from '../exit-codes';
import { counted, limited, omittedText } from '../output/lists';
import { printJson, printLines, type Output } from '../output/print';
import { languageOf, type LanguageFlags } from './language';
import { policiesOfStacks, policyTextsAndTerraform, type PolicyText } from './policy-texts';
import { VAULT_ENVIRONMENT } from '../../model/sentinel';

export interface CheckFlags extends LanguageFlags {
  readonly stacks?: string | boolean;
  readonly json?: boolean;
}

/** The findings for one policy. */
interface Remark {
  readonly policy: string;
  readonly severity: 'error' | 'warning';
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
  /** For people: with the line it is about. */
  readonly description: string;
}

/** Checks policies and prints what is wrong with them. */
export function checkPolicies(paths: readonly string[], flags: CheckFlags, output: Output): ExitCode {
  const stacks =
    flags.stacks === undefined
      ? []
      : policiesOfStacks(flags.stacks === true ? 'cdktf.out' : String(flags.stacks));
  const files =
    paths.length === 0 && flags.stacks !== undefined
      ? []
      : policyTextsAndTerraform(paths.length === 0 ? ['.'] : paths);
  const policies = [...files, ...stacks];
  const language = languageOf(flags);
  const environment = language ? { ...VAULT_ENVIRONMENT, language } : VAULT_ENVIRONMENT;
  const remarks = policies.flatMap((policy) =>
    policy.kind === 'acl' ? checkAcl(policy) : checkSentinel(policy, environment),
  );
  const errors = remarks.filter(({ severity }) => severity === 'error').length;
  if (flags.json) printJson(output, report(policies, remarks));
  else printLines(output, describe(policies, remarks, errors));
  return errors > 0 ? EXIT.problems : EXIT.ok;
}

function checkSentinel({ name, text }: PolicyText, environment: Environment): readonly Remark[] {
  return check(text, visible(name), environment).map((finding) => remarkOf(name, finding));
}

function remarkOf(policy: string, finding: Finding): Remark {
  const { severity, problem, hint, source, span } = finding;
  const { line, column } = source.position(span.start);
  const message = hint === undefined ? problem : `${problem}; ${hint}`;
  return { policy, severity, line, column, message, description: describeFinding(finding) };
}

/** The text may contain expressions of Terraform, whose values are not checked. */
function checkAcl({ name, text, at = (position) => position }: PolicyText): readonly Remark[] {
  const fault = findAclFault(text);
  if (!fault) return [];
  const { position, cure } = describeFault(fault, text);
  const { line, column } = position ? at(position) : {};
  const place = [name, line, column].filter((part) => part !== undefined).join(':');
  const message = `${fault.message}; to do: ${cure}`;
  return [
    {
      policy: name,
      severity: 'error',
      line,
      column,
      message,
      description: visible(`${place}: error: ${message}`),
    },
  ];
}

/** The JSON that `policy check` prints. @public */
export interface CheckReport {
  /** How many policies were checked. */
  readonly policies: number;
  /** How many findings are not listed. Absent if all are. */
  readonly omitted?: number;
  readonly findings: readonly Omit<Remark, 'description'>[];
}

function report(policies: readonly PolicyText[], remarks: readonly Remark[]): CheckReport {
  const { shown, omitted } = limited(remarks);
  return {
    policies: policies.length,
    ...(omitted > 0 && { omitted }),
    findings: shown.map(({ policy, severity, line, column, message }) => ({
      policy,
      severity,
      line,
      column,
      message,
    })),
  };
}

function describe(
  policies: readonly PolicyText[],
  remarks: readonly Remark[],
  errors: number,
): readonly string[] {
  const counts = [
    `${counted(policies.length, 'policy', 'policies')} checked`,
    counted(errors, 'error'),
    counted(remarks.length - errors, 'warning'),
  ];
  const { shown, omitted } = limited(remarks);
  // A description quotes lines of the policy, beneath which it points at a place.
  return [
    ...shown.flatMap(({ description }) => [...description.split('\n'), '']),
    ...omittedText(omitted),
    counts.join(', '),
  ];
}
