import { clusterNamesIn } from '../clusters/cluster-names';
import { withClusters, type ClusterConfigurations } from '../clusters/open-clusters';
import { EXIT, type ExitCode } from '../exit-codes';
import { withProgress } from '../output/progress';
import { styleFor, type Style } from '../output/style';
import type { Check } from './check';
import { checkCluster } from './check-cluster';
import { checkStacks } from './check-stacks';
import { checkTerraformSettings } from './check-terraform-settings';
import { checkTools } from './check-tools';
import { configuredClusters } from './configured-clusters';
import { requirementsOf, type Requirement } from './requirements';
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
  const configured = configuredClusters(stacks, env);
  const names = flags.cluster ?? clustersOf(requirements, configured) ?? clusterNamesIn(env);
  const ofClusters = await withProgress(`asking ${names.join(', ')}`, () =>
    withClusters(
      names,
      env,
      (clusters) =>
        Promise.all(
          clusters.map((cluster) => {
            const required = requirements.filter((each) => each.cluster === cluster.settings.name);
            return checkCluster(cluster, required, Date.now());
          }),
        ),
      configured,
    ),
  );
  const checks = [
    ...checkTools(env),
    ...checkTerraformSettings(stacks, env),
    ...checkStacks(stacks, flags.output),
    ...ofClusters.flat(),
  ];
  console.log(flags.json ? JSON.stringify({ checks }) : renderChecks(checks, styleFor(process.stdout, env)));
  return exitCodeOf(checks);
}

/** The clusters that stacks use. Nothing where there are none. */
function clustersOf(
  requirements: readonly Requirement[],
  configured: ClusterConfigurations,
): readonly string[] | undefined {
  const names = new Set([...requirements.map(({ cluster }) => cluster), ...Object.keys(configured)]);
  return names.size > 0 ? [...names] : undefined;
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
