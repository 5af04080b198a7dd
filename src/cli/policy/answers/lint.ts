import { renderAdvice } from '../../../model/messages';
import { writeFileSync } from 'node:fs';
import { lintAclPolicy, lintTogether, type LintFinding } from '../../../model';
import { inTextOrder, TOO_COMPLEX } from '../../../model/acl/lint/lint';
import { nearestOf, visible } from '../../../text';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { counted, limited, omittedText } from '../../output/lists';
import { printLines, printWrapped } from '../../output/print';
import { styleFor, type Style } from '../../output/style';
import { ALL_IDS, withoutIgnored } from '../../../policy/accepted-findings';
import { baselineOf, newSince, readBaseline } from './accepted';
import { explanationOf } from './lint-rules';
import type { CommandFinding } from '../report/finding';
import type { OutputFormatFlags } from '../source-options';
import { printFindings } from '../report/print-findings';
import { parsePolicies, placeText, unreadableText, type AclPolicyText } from '../sources/policy-source';
import { chosen, readTexts, type SourceFlags } from '../sources/read-set';

export interface LintFlags extends Pick<SourceFlags, 'cluster' | 'policy'>, OutputFormatFlags {
  readonly ignore?: readonly string[];
  /** Whether to examine the policies also as those of one token. */
  readonly together?: boolean;
  /** The id of a finding to explain, instead of examining policies. */
  readonly explain?: string;
  /** The least severity that makes the command fail. Default: `error`. */
  readonly failOn?: 'warning' | 'error';
  /** A file with findings that are not reported. */
  readonly baseline?: string;
  /** A file to write all findings to, as a baseline. */
  readonly writeBaseline?: string;
}

interface PlacedFinding extends LintFinding {
  readonly policy: string;
  /** The file or address where the policy is. */
  readonly place: string;
  /** The file as the user named it. Absent for other places. */
  readonly file?: string;
}

/** The JSON that `policy lint` prints. @public */
export interface LintReport {
  readonly findings: readonly PlacedFinding[];
  /** How many findings are not listed. Absent if all are. */
  readonly omitted?: number;
}

/** Prints the findings for policies. */
export async function lintPolicies(
  sources: readonly string[],
  flags: LintFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const { ignore = [], explain } = flags;
  const unknown = [...ignore, explain ?? []].flat().find((id) => !ALL_IDS.includes(id));
  if (unknown !== undefined) {
    const meant = nearestOf(unknown, ALL_IDS);
    throw new UserError({
      summary: `unknown finding ${JSON.stringify(unknown)}`,
      allowed: ALL_IDS.join(', '),
      ...(meant !== undefined && { cures: `write ${meant}` }),
    });
  }
  if (explain !== undefined) {
    printWrapped(process.stdout, explanationOf(explain));
    return EXIT.ok;
  }
  const known = flags.baseline === undefined ? [] : readBaseline(flags.baseline);
  const read = await readTexts(sources, flags, env);
  if (!read) return EXIT.unknown;
  const texts = chosen(read.texts, flags.policy);
  const joint = flags.together ? findingsTogether(texts, ignore) : undefined;
  const all = [...texts.flatMap((policy) => findingsIn(policy, ignore, joint)), ...(joint?.ofAll ?? [])];
  if (flags.writeBaseline !== undefined) {
    writeFileSync(flags.writeBaseline, `${JSON.stringify(baselineOf(all), null, 2)}\n`);
    printLines(process.stdout, [
      `${counted(all.length, 'finding')} written to ${visible(flags.writeBaseline)}`,
    ]);
    return EXIT.ok;
  }
  const { found: findings, gone } = newSince(known, all);
  const style = styleFor(process.stdout, env);
  const { shown, omitted } = limited(findings);
  printFindings(process.stdout, flags, {
    text: () =>
      printWrapped(process.stdout, [
        ...shown.flatMap((each) => findingLines(each, style)),
        ...omittedText(omitted),
        ...goneLines(gone),
        summary(texts.length, findings),
      ]),
    json: (): LintReport => ({ findings: shown, ...(omitted > 0 && { omitted }) }),
    findings: () => ({
      command: 'policy lint',
      title: 'Findings in ACL policies',
      cases: texts.map(({ name, place }) => ({ policy: name, place })),
      findings: findings.map(asFinding),
      summary: summary(texts.length, findings),
    }),
  });
  const failing = flags.failOn === 'warning' ? ['warning', 'error'] : ['error'];
  return findings.some(({ severity }) => failing.includes(severity)) ? EXIT.problems : EXIT.ok;
}

/** Returns the line that says that the baseline can be shortened. */
function goneLines(gone: number): readonly string[] {
  if (gone === 0) return [];
  return [
    `${counted(gone, 'finding')} of the baseline no longer found: write it again with --write-baseline`,
  ];
}

/** The id of the finding for a file that cannot be read. */
const UNREADABLE = 'unreadable';

function findingsIn(
  policy: AclPolicyText,
  ignore: readonly string[],
  joint: Joint | undefined,
): readonly PlacedFinding[] {
  const { name, place, file, text, mounts, isTemplate, unreadable, at = (position) => position } = policy;
  const own = { policy: name, place, ...(file !== undefined && { file }) };
  if (unreadable !== undefined) {
    const problem = unreadableText(unreadable);
    const cure = 'make it a readable text in UTF-8, or leave it out';
    return [{ ...own, id: UNREADABLE, severity: 'error', path: '', problem, cure }];
  }
  const alone = lintAclPolicy(text, {
    ignore,
    ...(mounts && { mounts }),
    ...(isTemplate !== undefined && { isTemplate }),
  }).filter(
    // The joint findings replace these, because only all policies together show which rules are
    // redundant.
    ({ id }) => id !== 'redundant' || !joint?.hasAll,
  );
  const wrong = new Set(alone.flatMap(({ severity, line }) => (severity === 'note' ? [] : [line])));
  const ofJoint = (joint?.findings.get(policy) ?? []).filter(
    ({ id, line }) => id !== 'redundant' || !wrong.has(line),
  );
  return withoutIgnored(text, [...alone, ...ofJoint].sort(inTextOrder), ignore).map(
    (finding): PlacedFinding => {
      const { line, column = 1 } = finding;
      return { ...own, ...finding, ...(line !== undefined && at({ line, column })) };
    },
  );
}

/** The findings for policies as those of one token. */
interface Joint {
  /** The findings by policy, with the positions in its text. */
  readonly findings: ReadonlyMap<AclPolicyText, readonly LintFinding[]>;
  /** The findings that concern no single rule. */
  readonly ofAll: readonly PlacedFinding[];
  /** Whether all policies could be examined. */
  readonly hasAll: boolean;
}

function findingsTogether(texts: readonly AclPolicyText[], ignore: readonly string[]): Joint {
  const { policies, faults } = parsePolicies(texts);
  const hasAll = faults.length === 0;
  const { findings, isComplete } = lintTogether(
    policies.map(({ policy, positions, source: { place, at = (position) => position } }) => ({
      policy,
      placeOf: (rule: number) => placeText(place, at(positions[rule]!)),
    })),
    hasAll,
  );
  const byPolicy = new Map<AclPolicyText, LintFinding[]>();
  for (const { policy, rule, ...finding } of findings) {
    if (ignore.includes(finding.id)) continue;
    const { source, positions } = policies[policy]!;
    byPolicy.set(source, [...(byPolicy.get(source) ?? []), { ...finding, ...positions[rule]! }]);
  }
  const ofAll: PlacedFinding[] =
    isComplete || ignore.includes(TOO_COMPLEX.id)
      ? []
      : [{ ...TOO_COMPLEX, policy: '', place: 'the policies together' }];
  return { findings: byPolicy, ofAll, hasAll: hasAll && isComplete };
}

function findingLines({ place, line, column, ...finding }: PlacedFinding, style: Style): readonly string[] {
  const { severity, cure, id } = finding;
  const at = placeText(place, line === undefined ? undefined : { line, column: column ?? 1 });
  const word =
    severity === 'error' ? style.bad(severity) : severity === 'warning' ? style.doubtful(severity) : severity;
  return [`${at}: ${word}: ${problemText(finding)} [${id}]`, `    ${renderAdvice(cure)}`];
}

function asFinding(finding: PlacedFinding): CommandFinding {
  const { file, id: rule, severity, policy, place, line, column, cure } = finding;
  const message = `${problemText(finding)}. ${renderAdvice(cure)}`;
  return { rule, severity, policy, place, line, column, message, ...(file !== undefined && { file }) };
}

function problemText({ path, problem }: Pick<LintFinding, 'path' | 'problem'>): string {
  return path === '' ? problem : `path ${JSON.stringify(path)}: ${problem}`;
}

function summary(count: number, findings: readonly LintFinding[]): string {
  const found = (['error', 'warning', 'note'] as const).map((severity) =>
    counted(findings.filter((each) => each.severity === severity).length, severity),
  );
  return `${counted(count, 'policy', 'policies')}: ${found.join(', ')}`;
}
