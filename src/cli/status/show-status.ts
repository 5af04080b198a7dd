import type { Cluster } from '../../provider/clusters/cluster';
import { canBeAsked, withClusters, clustersInEnvironment } from '../clusters/open-clusters';
import { EXIT, type ExitCode } from '../exit-codes';
import { pictureOfClusters } from '../../view/picture/clusters';
import { visible } from '../../text/visible';
import type { ClusterProblem } from '../../view/find-problems';
import { printPicture } from '../output/picture';
import type { PictureFormat } from '../output/picture-formats';
import { clearScreen, printJson, printLines, printWrapped } from '../output/print';
import { withProgress } from '../output/progress';
import { withoutSecretsIn } from '../output/secrets';
import { styleFor } from '../output/style';
import type { ClusterState } from './cluster-state';
import { lackingOn } from './lacking';
import { problemsOf } from './find-problems';
import type { StatusReadOptions } from './objects/object-status';
import { prometheusMetrics } from './prometheus';
import { readCluster } from './read-cluster';
import { renderStatus } from './render';
import { servePage } from './web/serve-page';
import { Readings } from './web/readings';
import { UserError } from '../errors';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ClusterSettings } from '../../provider/configuration';
import { checkDescribed, clusterNamesIn } from '../clusters/cluster-names';
import { groupsBy } from '../../model/groups';
import { stackClusters } from '../stacks/stack-clusters';
import { stacksIn } from '../stacks/stacks';

/** The selection of clusters. */
interface Choice {
  /** The names of the clusters. Absent: all. */
  readonly cluster?: readonly string[];
  /**
   * The output folder of an app whose stacks have the settings. Absent: the environment has them.
   */
  readonly stacks?: string;
}

export interface StatusFlags extends Choice {
  readonly namespace?: readonly string[];
  readonly testKeys?: boolean;
  readonly maxWalDistance: number;
  readonly public?: boolean;
  readonly json?: boolean;
  readonly prometheus?: boolean;
  readonly format?: PictureFormat;
  /** Whether to serve the status page. */
  readonly web?: boolean;
  /** Whether to show only the objects that nothing declares. */
  readonly unmanaged?: boolean;
  /** The files with states of Terraform. */
  readonly state?: readonly string[];
  /** The port of the status page; 0 for any free port. */
  readonly port?: number;
  /** The seconds between two readings. Absent: there is only one. */
  readonly watch?: number;
}

/**
 * Reads and prints the status of clusters, once or repeatedly.
 *
 * @returns the exit code.
 */
export async function showStatus(flags: StatusFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  if (flags.port !== undefined && !flags.web) {
    throw new UserError({
      summary: '--port is for the status page',
      cures: 'add --web, or leave out --port',
    });
  }
  if (flags.state !== undefined && !flags.unmanaged) {
    throw new UserError({
      summary: '--state is for objects that nothing declares',
      cures: 'add --unmanaged, or leave out --state',
    });
  }
  const settings = settingsOf(flags, env);
  if (flags.unmanaged) {
    const { showUnmanaged } = await import('./unmanaged.js');
    return showUnmanaged(flags, settings, env);
  }
  return withClusters(settings, env, async (opened) => {
    if (flags.web) return showPage(opened, flags);
    if (flags.watch === undefined) return showOnce(opened, flags, env);
    let code: ExitCode = EXIT.ok;
    await repeat(flags.watch, async () => {
      code = await showOnce(opened, flags, env);
    });
    return code;
  });
}

/** Seconds between two readings of the status page. */
const PAGE_PAUSE = 5;

/** Serves the status page until Ctrl-C. */
async function showPage(opened: readonly Cluster[], flags: StatusFlags): Promise<ExitCode> {
  const readings = new Readings(flags.maxWalDistance);
  const page = await servePage(flags.port ?? 0, () => readings.state).catch((error: Error) => {
    throw new UserError({
      summary: `the page cannot be served: ${error.message}`,
      cures: 'choose another --port',
    });
  });
  printLines(process.stdout, [`status page: ${page.address} (Ctrl-C stops it)`]);
  try {
    await repeat(flags.watch ?? PAGE_PAUSE, async () => {
      const now = Date.now();
      const testKeys = flags.testKeys === true && readings.keysAreDue(now);
      const options = { ...optionsOf(flags), testKeys, now };
      readings.add(now, await Promise.all(opened.map((cluster) => readCluster(cluster, options))), testKeys);
    });
  } finally {
    await page.close();
  }
  return EXIT.ok;
}

function optionsOf(flags: StatusFlags): StatusReadOptions {
  return {
    namespaces: flags.namespace ?? [''],
    testKeys: flags.testKeys ?? false,
    public: flags.public ?? false,
    now: Date.now(),
  };
}

async function showOnce(
  opened: readonly Cluster[],
  flags: StatusFlags,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const options = optionsOf(flags);
  const names = opened.map(({ settings: { name } }) => name).join(', ');
  const read = await withProgress(`reading ${names}`, () =>
    Promise.all(opened.map((cluster) => readCluster(cluster, options))),
  );
  const clusters = read.map((cluster) => {
    const lacking = lackingOn(cluster, read);
    return lacking.length === 0 ? cluster : { ...cluster, lacking };
  });
  return print(clusters, flags, env);
}

/** The JSON that `status` prints. @public */
export interface StatusReport {
  readonly clusters: readonly ClusterState[];
  readonly problems: readonly ClusterProblem[];
}

function print(clusters: readonly ClusterState[], flags: StatusFlags, env: NodeJS.ProcessEnv): ExitCode {
  const problems = problemsOf(clusters, flags.maxWalDistance);
  const isSeries = flags.watch !== undefined;
  if (flags.json) printJson<StatusReport>(process.stdout, { clusters, problems }, isSeries);
  else if (flags.prometheus) printLines(process.stdout, prometheusMetrics(clusters, problems));
  else if (flags.format) {
    const shown = withoutSecretsIn({ clusters, problems });
    printPicture(process.stdout, pictureOfClusters(shown.clusters, shown.problems), flags.format);
  } else {
    if (flags.watch !== undefined) clearScreen(process.stdout);
    printWrapped(process.stdout, renderStatus(clusters, problems, styleFor(process.stdout, env)));
  }
  return exitCodeOf(clusters, problems.length);
}

function exitCodeOf(clusters: readonly ClusterState[], problems: number): ExitCode {
  if (problems > 0) return EXIT.problems;
  return clusters.some(({ failures }) => failures.length > 0) ? EXIT.unknown : EXIT.ok;
}

/**
 * Repeats an action until the process is interrupted (Ctrl-C) or asked to end. The current run is
 * completed.
 *
 * @param pause seconds between the end of one run and the beginning of the next.
 */
async function repeat(pause: number, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const interrupted = Promise.race(signals.map((signal) => once(process, signal, { signal: stop.signal })));
  interrupted.then(
    () => stop.abort(),
    () => undefined,
  );
  while (!stop.signal.aborted) {
    await work();
    await setTimeout(pause * 1000, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

/**
 * Returns the settings of the selected clusters.
 *
 * @throws UserError for settings that are not valid, and for clusters that nothing describes.
 */
function settingsOf({ cluster, stacks }: Choice, env: NodeJS.ProcessEnv): readonly ClusterSettings[] {
  if (stacks !== undefined) return settingsInStacks(stacks, cluster, env);
  const names = cluster ?? clusterNamesIn(env);
  checkDescribed(names, env);
  return clustersInEnvironment(names, env);
}

/**
 * Returns the settings of clusters in stacks. If stacks have different names or settings for one
 * server, the first stack counts: otherwise, the server would be shown as two clusters.
 */
function settingsInStacks(
  output: string,
  names: readonly string[] | undefined,
  env: NodeJS.ProcessEnv,
): readonly ClusterSettings[] {
  const stacks = stacksIn(output);
  const cures = 'synthesize the app, or set --stacks to its output folder';
  if (stacks.length === 0) throw new UserError({ summary: `no stacks found in ${visible(output)}`, cures });
  const used = stackClusters(stacks, env).map(({ settings }) => settings);
  const unknown = names?.find((name) => !used.some((settings) => settings.name === name));
  if (used.length === 0 || unknown !== undefined) {
    const known = [...new Set(used.map(({ name }) => name))].join(', ');
    throw new UserError({
      summary: `no stack in ${visible(output)} uses ${unknown === undefined ? 'a cluster' : `cluster ${JSON.stringify(unknown)}`}`,
      details: `Used: ${known || 'none'}.`,
      cures,
    });
  }
  const asked = used.filter(({ name }) => names?.includes(name) ?? true);
  return groupsBy(asked, (settings) => {
    const { address, namespace } = settings.options;
    return JSON.stringify(canBeAsked(settings) ? [address, namespace] : settings.name);
  }).map(([first]) => first);
}
