import { basename, resolve } from 'node:path';
import { describeFault, findAclFault } from '../../model/acl';
import { check, describeFinding, type PolicyEnvironment, type SentinelFinding } from '../../sentinel';
import { readTextFile } from '../../policy/text-file';
import { moduleFiles } from '../../sentinel/testing';
import { visible } from '../../text';
import { EXIT, type ExitCode } from '../exit-codes';
import { counted, limited, omittedText } from '../output/lists';
import { printLines, type Output } from '../output/print';
import { languageOf, type LanguageFlags } from './language';
import type { FindingsReport } from './report/finding';
import type { OutputFormatFlags } from './source-options';
import { printFindings } from './report/print-findings';
import { unreadableText } from './sources/policy-source';
import { policiesOfStacks, policyTextsOfAllFiles, type NamedPolicyText } from './policy-texts';
import { VAULT_ENVIRONMENT } from '../../model/sentinel';

export interface CheckFlags extends LanguageFlags, OutputFormatFlags {
  /** The output folder of an app; `true` for `cdktf.out`. */
  readonly stacks?: string | true;
}

/** The findings for one policy. */
interface Remark {
  readonly policy: string;
  /** The kind of the finding. */
  readonly id: string;
  readonly severity: 'error' | 'warning';
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
  /** The text for people: the message, and the line that it is about. */
  readonly description: string;
}

/** Checks policies and prints the findings. */
export function checkPolicies(paths: readonly string[], flags: CheckFlags, output: Output): ExitCode {
  const { stacks } = flags;
  const files = policyTextsOfAllFiles(paths.length === 0 && stacks === undefined ? ['.'] : paths);
  const ofStacks = stacks === undefined ? [] : policiesOfStacks(stacks === true ? 'cdktf.out' : stacks);
  const policies = [...files, ...ofStacks];
  const language = languageOf(flags);
  const environment = language ? { ...VAULT_ENVIRONMENT, language } : VAULT_ENVIRONMENT;
  const sentinel = files.filter(({ kind, isFile, at }) => kind === 'sentinel' && isFile && at === undefined);
  const modules = moduleFiles(
    sentinel.map(({ name }) => name),
    readTextFile,
  );
  const remarks = policies.flatMap((policy) => {
    if (policy.unreadable !== undefined) return [unreadableRemark(policy.name, policy.unreadable)];
    if (policy.kind === 'acl') return checkAcl(policy);
    const found = checkSentinel(policy, environment);
    // A policy that other policies import is a module, and needs no rule "main".
    const isModule = policy.isFile && modules.has(resolve(policy.name));
    return isModule ? found.filter(({ id }) => id !== 'no-main') : found;
  });
  const errors = remarks.filter(({ severity }) => severity === 'error').length;
  printFindings(output, flags, {
    text: () => printLines(output, describe(policies, remarks, errors)),
    json: (): CheckReport => report(policies, remarks),
    findings: () => findingsOf(policies, remarks, errors),
  });
  return errors > 0 ? EXIT.problems : EXIT.ok;
}

function unreadableRemark(policy: string, why: string): Remark {
  const message = unreadableText(why);
  const description = visible(`${policy}: error: ${message} [unreadable]`);
  return {
    policy,
    id: 'unreadable',
    severity: 'error',
    line: undefined,
    column: undefined,
    message,
    description,
  };
}

function checkSentinel({ name, text }: NamedPolicyText, environment: PolicyEnvironment): readonly Remark[] {
  return check(text, visible(name), environment).map((finding) => remarkOf(name, finding));
}

function remarkOf(policy: string, finding: SentinelFinding): Remark {
  const { id, severity, problem, hint, source, span } = finding;
  const { line, column } = source.position(span.start);
  const message = hint === undefined ? problem : `${problem}; ${hint}`;
  return {
    policy,
    id,
    severity,
    line,
    column,
    message,
    description: describeFinding(finding),
  };
}

/** Checks an ACL policy. The values of Terraform's expressions in it are not checked. */
function checkAcl({ name, text, at = (position) => position }: NamedPolicyText): readonly Remark[] {
  const fault = findAclFault(text);
  if (!fault) return [];
  const { position, problem, cure } = describeFault(fault, text);
  const { line, column } = position ? at(position) : {};
  const place = [name, line, column].filter((part) => part !== undefined).join(':');
  const message = `${problem}; to do: ${cure}`;
  return [
    {
      policy: name,
      id: 'acl-error',
      severity: 'error',
      line,
      column,
      message,
      description: visible(`${place}: error: ${message} [acl-error]`),
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

function report(policies: readonly NamedPolicyText[], remarks: readonly Remark[]): CheckReport {
  const { shown, omitted } = limited(remarks);
  return {
    policies: policies.length,
    ...(omitted > 0 && { omitted }),
    findings: shown.map(({ policy, id, severity, line, column, message }) => ({
      policy,
      id,
      severity,
      line,
      column,
      message,
    })),
  };
}

function findingsOf(
  policies: readonly NamedPolicyText[],
  remarks: readonly Remark[],
  errors: number,
): FindingsReport {
  const files = new Set(policies.flatMap(({ name, isFile }) => (isFile ? [name] : [])));
  return {
    command: 'policy check',
    title: 'Findings in policies',
    cases: policies.map(({ name }) => ({ policy: basename(name), place: name })),
    findings: remarks.map(({ policy: place, id, severity, line, column, message }) => ({
      ...{ rule: id, severity, policy: basename(place), place, line, column, message },
      ...(files.has(place) && { file: place }),
    })),
    summary: summaryOf(policies, remarks, errors),
  };
}

function describe(
  policies: readonly NamedPolicyText[],
  remarks: readonly Remark[],
  errors: number,
): readonly string[] {
  const { shown, omitted } = limited(remarks);
  // A description has several lines: it quotes the policy, and marks a position below the quoted
  // line.
  return [
    ...shown.flatMap(({ description }) => [...description.split('\n'), '']),
    ...omittedText(omitted),
    summaryOf(policies, remarks, errors),
  ];
}

function summaryOf(policies: readonly NamedPolicyText[], remarks: readonly Remark[], errors: number): string {
  return [
    `${counted(policies.length, 'policy', 'policies')} checked`,
    counted(errors, 'error'),
    counted(remarks.length - errors, 'warning'),
  ].join(', ');
}
