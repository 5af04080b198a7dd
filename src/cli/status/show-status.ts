import { withClusters } from '../clusters/open-clusters';
import { EXIT, type ExitCode } from '../exit-codes';
import { printJson, printLines } from '../output/print';
import { withProgress } from '../output/progress';
import { styleFor } from '../output/style';
import type { ClusterState } from './cluster-state';
import { problemsOf, type Problem } from './messages';
import { readCluster } from './read-cluster';
import { renderStatus } from './render';
import { settingsOf, type Choice } from './settings';

export interface StatusFlags extends Choice {
  readonly namespace?: readonly string[];
  readonly testKeys?: boolean;
  readonly maxWalDistance: number;
  readonly public?: boolean;
  readonly json?: boolean;
}

/** Reads and prints the status of clusters. @returns what to end with. */
export async function showStatus(flags: StatusFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const options = {
    namespaces: flags.namespace ?? [''],
    testKeys: flags.testKeys ?? false,
    public: flags.public ?? false,
    now: Date.now(),
  };
  const settings = settingsOf(flags, env);
  const clusters = await withProgress(`reading ${settings.map(({ name }) => name).join(', ')}`, () =>
    withClusters(settings, env, (opened) =>
      Promise.all(opened.map((cluster) => readCluster(cluster, options))),
    ),
  );
  const problems = problemsOf(clusters, flags.maxWalDistance);
  if (flags.json) printJson(process.stdout, { clusters, problems });
  else printLines(process.stdout, renderStatus(clusters, problems, styleFor(process.stdout, env)));
  return exitCodeOf(clusters, problems);
}

function exitCodeOf(clusters: readonly ClusterState[], problems: readonly Problem[]): ExitCode {
  if (problems.length > 0) return EXIT.problems;
  return clusters.some(({ failures }) => failures.length > 0) ? EXIT.unknown : EXIT.ok;
}
