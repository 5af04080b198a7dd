import { clusterNamesIn } from '../clusters/cluster-names';
import { withClusters } from '../clusters/open-clusters';
import { EXIT, type ExitCode } from '../exit-codes';
import { styleFor, type Style } from '../output/style';
import type { Check } from './check';
import { checkCluster } from './check-cluster';
import { checkStacks } from './check-stacks';
import { checkTerraformSettings } from './check-terraform-settings';
import { checkTools } from './check-tools';
import { requirementsOf } from './requirements';
import { stacksIn } from './stacks';

export interface DoctorFlags {
  readonly cluster?: readonly string[];
  readonly output: string;
  readonly json?: boolean;
}

/** Checks a set-up and prints what was found. @returns what to end with. */
export async function runDoctor(flags: DoctorFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const stacks = stacksIn(flags.output);
  const requirements = requirementsOf(stacks);
  const needed = [...new Set(requirements.map(({ cluster }) => cluster))];
  const names = flags.cluster ?? (needed.length > 0 ? needed : clusterNamesIn(env));
  const ofClusters = await withClusters(names, env, (clusters) =>
    Promise.all(
      clusters.map((cluster) => {
        const required = requirements.filter((each) => each.cluster === cluster.settings.name);
        return checkCluster(cluster, required, Date.now());
      }),
    ),
  );
  const checks = [
    ...checkTools(env),
    ...checkTerraformSettings(stacks, env),
    ...checkStacks(stacks),
    ...ofClusters.flat(),
  ];
  console.log(flags.json ? JSON.stringify({ checks }) : renderChecks(checks, styleFor(process.stdout, env)));
  return exitCodeOf(checks);
}

function renderChecks(checks: readonly Check[], style: Style): string {
  const marks = {
    ok: style.good('ok      '),
    doubt: style.doubtful('doubt   '),
    problem: style.bad('problem '),
  };
  return checks
    .map(({ subject, outcome, text, cure }) => {
      const line = `${marks[outcome]} ${style.strong(subject)}: ${text}`;
      return cure === undefined ? line : `${line}\n         to do: ${cure}`;
    })
    .join('\n');
}

function exitCodeOf(checks: readonly Check[]): ExitCode {
  const outcomes = new Set(checks.map(({ outcome }) => outcome));
  if (outcomes.has('problem')) return EXIT.problems;
  return outcomes.has('doubt') ? EXIT.unknown : EXIT.ok;
}
