import { renderAdvice } from '../../../model/messages';
import { LINT_IDS, lintAclPolicy, type LintFinding } from '../../../model';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { counted, limited, omittedText } from '../../output/lists';
import { printWrapped } from '../../output/print';
import { styleFor, type Style } from '../../output/style';
import type { Finding } from '../report/finding';
import type { FormatFlags } from '../source-options';
import { printFindings } from '../report/print-findings';
import { placeText, unreadableText, type PolicyText } from '../sources/policy-source';
import { chosen, readTexts, type SourceFlags } from '../sources/read-set';

export interface LintFlags extends Pick<SourceFlags, 'cluster' | 'policy'>, FormatFlags {
  readonly ignore?: readonly string[];
}

interface PlacedFinding extends LintFinding {
  readonly policy: string;
  /** The file or address where the policy is. */
  readonly place: string;
}

/** The JSON that `policy lint` prints. @public */
export interface LintReport {
  readonly findings: readonly PlacedFinding[];
  /** How many findings are not listed. Absent if all are. */
  readonly omitted?: number;
}

/** Prints what is wrong with policies. */
export async function lintPolicies(
  sources: readonly string[],
  flags: LintFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const { ignore = [] } = flags;
  const unknown = ignore.find((id) => !LINT_IDS.includes(id));
  if (unknown !== undefined) {
    throw new UserError(`unknown finding ${JSON.stringify(unknown)}\nAllowed are ${LINT_IDS.join(', ')}.`);
  }
  const read = await readTexts(sources, flags, env);
  if (!read) return EXIT.unknown;
  const texts = chosen(read.texts, flags.policy);
  const findings = texts.flatMap((policy) => findingsIn(policy, ignore));
  const style = styleFor(process.stdout, env);
  const { shown, omitted } = limited(findings);
  printFindings(process.stdout, flags, {
    text: () =>
      printWrapped(process.stdout, [
        ...shown.flatMap((each) => findingLines(each, style)),
        ...omittedText(omitted),
        summary(texts.length, findings),
      ]),
    json: (): LintReport => ({ findings: shown, ...(omitted > 0 && { omitted }) }),
    findings: () => ({
      command: 'policy lint',
      title: 'Findings in ACL policies',
      cases: texts.map(({ name, place }) => ({ policy: name, place })),
      findings: texts.flatMap((text) => findingsIn(text, ignore).map((finding) => asFinding(text, finding))),
      summary: summary(texts.length, findings),
    }),
  });
  return findings.some(({ severity }) => severity === 'error') ? EXIT.problems : EXIT.ok;
}

/** The id of the finding for a file that cannot be read. */
const UNREADABLE = 'unreadable';

function findingsIn(
  { name, place, text, mounts, unreadable, at = (position) => position }: PolicyText,
  ignore: readonly string[],
): readonly PlacedFinding[] {
  if (unreadable !== undefined) {
    const problem = unreadableText(unreadable);
    const cure = 'make it a readable text in UTF-8, or leave it out';
    return [{ policy: name, place, id: UNREADABLE, severity: 'error', path: '', problem, cure }];
  }
  return lintAclPolicy(text, { ignore, ...(mounts && { mounts }) }).map((finding): PlacedFinding => {
    const { line, column = 1 } = finding;
    return { policy: name, place, ...finding, ...(line !== undefined && at({ line, column })) };
  });
}

function findingLines({ place, line, column, ...finding }: PlacedFinding, style: Style): readonly string[] {
  const { severity, cure, id } = finding;
  const at = placeText(place, line === undefined ? undefined : { line, column: column ?? 1 });
  const word =
    severity === 'error' ? style.bad(severity) : severity === 'warning' ? style.doubtful(severity) : severity;
  return [`${at}: ${word}: ${problemText(finding)} [${id}]`, `    ${renderAdvice(cure)}`];
}

function asFinding({ file }: PolicyText, finding: PlacedFinding): Finding {
  const { id: rule, severity, policy, place, line, column, cure } = finding;
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
