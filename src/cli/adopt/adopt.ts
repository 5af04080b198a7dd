import { checkDescribed, clusterNamesIn } from '../clusters/cluster-names';
import { clustersInEnvironment, withClusters } from '../clusters/open-clusters';
import { clusterNameProblem } from '../../model/clusters';
import { EXIT, type ExitCode } from '../exit-codes';
import { printJson, printLines } from '../output/print';
import { withProgress } from '../output/progress';
import { styleFor } from '../output/style';
import { UserError } from '../errors';
import { projectFiles } from './app/project-files';
import { appOf, type App, type Estate } from './app/stacks';
import { KINDS, type Kind } from './kinds';
import { readEstate } from './read-estate';
import { Reading } from './estate/reading';
import { Remarks } from './estate/remarks';
import { specifierFor } from './package-specifier';
import { outcomeData, renderOutcome, type Outcome } from './report';
import { writeApp } from './write-app';

export interface AdoptFlags {
  readonly cluster?: readonly string[];
  readonly namespace?: readonly string[];
  readonly output: string;
  readonly only?: readonly Kind[];
  readonly defaultPolicy?: boolean;
  readonly json?: boolean;
}

/** Reads a running estate, and writes an app that declares it. @returns what to end with. */
export async function adopt(flags: AdoptFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const remarks = new Remarks();
  const app = appOf(await read(flags, env, remarks));
  const outcome = { app, remarks, ...write(app, flags.output) };
  if (flags.json) printJson(process.stdout, outcomeData(outcome));
  else printLines(process.stdout, renderOutcome(outcome, styleFor(process.stdout, env)));
  if (remarks.leftOut.length > 0) return EXIT.problems;
  return remarks.unread.length > 0 ? EXIT.unknown : EXIT.ok;
}

function read(flags: AdoptFlags, env: NodeJS.ProcessEnv, remarks: Remarks): Promise<Estate> {
  const names = flags.cluster ?? clusterNamesIn(env);
  checkNames(names);
  checkDescribed(names, env);
  const options = {
    kinds: flags.only ?? KINDS,
    namespaces: flags.namespace ?? [],
    defaultPolicy: flags.defaultPolicy ?? false,
  };
  return withProgress(`reading ${names.join(', ')}`, (progress) => {
    const reading = new Reading((done, asked) => progress.say(`reading: ${done} of ${asked}`));
    return withClusters(clustersInEnvironment(names, env), env, (clusters) =>
      readEstate(clusters, options, remarks, reading),
    );
  });
}

function write(app: App, folder: string): Pick<Outcome, 'folder' | 'files'> {
  if (app.stacks.length === 0) return { files: [] };
  const files = projectFiles(app, specifierFor(folder, process.cwd()));
  writeApp(folder, files);
  return { folder, files: Object.keys(files) };
}

function checkNames(names: readonly string[]): void {
  const [problem] = names.flatMap((name) => clusterNameProblem(name) ?? []);
  if (problem === undefined) return;
  throw new UserError(
    `${problem.received} ${problem.problem}\nAllowed: ${problem.allowed}.\n` +
      'To do: choose another name, and rename its environment variables accordingly.',
  );
}
