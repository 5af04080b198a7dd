import { renderAdvice } from '../../../model/messages';
import { LINT_IDS, lintAclPolicy, type LintFinding } from '../../../model';
import { UserError } from '../../errors';
import { EXIT, type ExitCode } from '../../exit-codes';
import { counted, limited, omittedText } from '../../output/lists';
import { printJson, printWrapped } from '../../output/print';
import { styleFor, type Style } from '../../output/style';
import { placeText, type PolicyText } from '../sources/policy-source';
import { chosen, readTexts, type SourceFlags } from '../sources/read-set';

export interface LintFlags extends Pick<SourceFlags, 'cluster' | 'policy'> {
  readonly ignore?: readonly string[];
  readonly json?: boolean;
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
  if (flags.json) printJson<LintReport>(process.stdout, { findings: shown, ...(omitted > 0 && { omitted }) });
  else
    printWrapped(process.stdout, [
      ...shown.flatMap((each) => findingLines(each, style)),
      ...omittedText(omitted),
      summary(texts.length, findings),
    ]);
  return findings.some(({ severity }) => severity === 'error') ? EXIT.problems : EXIT.ok;
}

function findingsIn(
  { name, place, text, mounts, at = (position) => position }: PolicyText,
  ignore: readonly string[],
): readonly PlacedFinding[] {
  return lintAclPolicy(text, { ignore, ...(mounts && { mounts }) }).map((finding): PlacedFinding => {
    const { line, column = 1 } = finding;
    return { policy: name, place, ...finding, ...(line !== undefined && at({ line, column })) };
  });
}

function findingLines({ place, line, column, ...finding }: PlacedFinding, style: Style): readonly string[] {
  const { severity, path, problem, cure, id } = finding;
  const at = placeText(place, line === undefined ? undefined : { line, column: column ?? 1 });
  const word =
    severity === 'error' ? style.bad(severity) : severity === 'warning' ? style.doubtful(severity) : severity;
  const rule = path === '' ? '' : `path ${JSON.stringify(path)}: `;
  return [`${at}: ${word}: ${rule}${problem} [${id}]`, `    ${renderAdvice(cure)}`];
}

function summary(count: number, findings: readonly LintFinding[]): string {
  const found = (['error', 'warning', 'note'] as const).map((severity) =>
    counted(findings.filter((each) => each.severity === severity).length, severity),
  );
  return `${counted(count, 'policy', 'policies')}: ${found.join(', ')}`;
}
