import { withClusters } from '../clusters/open-clusters';
import { linesOf, render, renderPhrase } from '../../model/messages';
import { SettingsError, UserError } from '../errors';
import { EXIT, type ExitCode } from '../exit-codes';
import { printContent, printJson, printWrapped } from '../output/print';
import { withProgress } from '../output/progress';
import { styleFor, type Style } from '../output/style';
import { problem, type Check, type DoctorReport } from './check';
import { CORRECT_SETTING } from './messages';
import { checkCluster } from './check-cluster';
import { checkStacks, needsNode } from './check-stacks';
import { checkTerraformSettings, checkTools } from './check-tools';
import { stacksIn, type Stack } from '../stacks/stacks';
import { leastPolicy, renderLeastPolicies, type Purpose } from './least-policy';
import { unknownBlocksOf } from './requirements';
import { targetsOf, type DoctorTarget } from './targets';

export interface DoctorFlags {
  readonly cluster?: readonly string[];
  readonly stacks: string;
  readonly leastPolicy?: Purpose;
  readonly json?: boolean;
}

/**
 * Checks a set-up and prints the findings.
 *
 * @returns the exit code.
 */
export async function runDoctor(flags: DoctorFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const stacks = stacksIn(flags.stacks);
  if (flags.leastPolicy) return printLeastPolicies(stacks, flags, flags.leastPolicy, env);
  const { targets, problems } = checkSettings(() => targetsOf(stacks, flags.cluster, env));
  const settings = targets.map((target) => target.settings);
  const ofClusters = await withProgress(`reading ${settings.map(({ name }) => name).join(', ')}`, () =>
    withClusters(settings, env, (clusters) =>
      Promise.all(clusters.map((cluster, i) => checkCluster(cluster, targets[i]!, Date.now(), env))),
    ),
  );
  const checks = [
    ...checkTools(env, stacks.some(needsNode)),
    ...checkTerraformSettings(stacks, env),
    ...checkStacks(stacks, flags.stacks, env),
    ...problems,
    ...ofClusters.flat(),
  ];
  if (flags.json) printJson<DoctorReport>(process.stdout, { checks });
  else printWrapped(process.stdout, renderChecks(checks, styleFor(process.stdout, env)));
  return exitCodeOf(checks);
}

/** Prints the policies that the tokens of stacks need, without a request to a server. */
function printLeastPolicies(
  stacks: readonly Stack[],
  { cluster, stacks: folder }: DoctorFlags,
  purpose: Purpose,
  env: NodeJS.ProcessEnv,
): ExitCode {
  const policies = targetsOf(stacks, cluster, env)
    .filter(({ requirements }) => requirements.length > 0)
    .map((target) => leastPolicy(target, purpose));
  if (policies.length === 0)
    throw new UserError(`no stack in ${folder} requires permissions on these clusters`);
  const unknown = stacks.flatMap(unknownBlocksOf);
  printContent(process.stdout, renderLeastPolicies(policies, unknown, purpose));
  return unknown.length > 0 ? EXIT.unknown : EXIT.ok;
}

/**
 * Returns the clusters. Invalid settings are reported as problems, so that everything else is still
 * checked.
 */
function checkSettings(find: () => readonly DoctorTarget[]): {
  targets: readonly DoctorTarget[];
  problems: readonly Check[];
} {
  try {
    return { targets: find(), problems: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.findings.map((finding) => {
      const { summary, detail } = render({ ...finding, cures: [] });
      const cure = linesOf(finding.cures).map((line) => `${renderPhrase(line)}.`);
      return problem(
        'settings',
        [summary, detail.replaceAll('\n', ' ')].filter(Boolean).join('. '),
        cure.join(' ') || CORRECT_SETTING,
      );
    });
    return { targets: [], problems };
  }
}

function renderChecks(checks: readonly Check[], style: Style): readonly string[] {
  const marks = {
    ok: style.good('ok      '),
    doubt: style.doubtful('doubt   '),
    problem: style.bad('problem '),
  };
  return checks.flatMap(({ subject, outcome, text, cure }) => [
    `${marks[outcome]} ${style.strong(subject)}: ${text}`,
    ...(cure === undefined ? [] : [`         to do: ${cure}`]),
  ]);
}

function exitCodeOf(checks: readonly Check[]): ExitCode {
  const outcomes = new Set(checks.map(({ outcome }) => outcome));
  if (outcomes.has('problem')) return EXIT.problems;
  return outcomes.has('doubt') ? EXIT.unknown : EXIT.ok;
}
