import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../text/visible';
import { checkDescribed, clusterNamesIn } from '../clusters/cluster-names';
import { clustersInEnvironment, withClusters } from '../clusters/open-clusters';
import { clusterNameProblem } from '../../model/clusters';
import { HIDDEN } from '../../text';
import { EXIT, type ExitCode } from '../exit-codes';
import { printJson, printWrapped } from '../output/print';
import { withProgress } from '../output/progress';
import { withoutSecrets } from '../output/secrets';
import { styleFor } from '../output/style';
import { UserError } from '../errors';
import { stacksIn, type Stack } from '../stacks/stacks';
import { moduleFiles } from './app/module-files';
import { withResourceNames } from './app/resource-names';
import { filesOfStacks, projectFiles } from './app/project-files';
import type { Files } from './app/stack-files';
import { managedIn } from './managed';
import { appOf, type App, type Estate } from './app/stacks';
import { KINDS, type Kind } from './kinds';
import { readEstate } from './read-estate';
import { EstateReads } from './estate/estate-reads';
import { Remarks } from './estate/remarks';
import { specifierFor } from './package-specifier';
import { outcomeData, renderOutcome, type AdoptOutcome } from './adopt-report';
import { writeApp } from './write-app';

export interface AdoptFlags {
  readonly cluster?: readonly string[];
  readonly namespace?: readonly string[];
  readonly output: string;
  readonly only?: readonly Kind[];
  readonly defaultPolicy?: boolean;
  /**
   * The folder of an app with synthesized stacks. Objects that the stacks manage are not adopted.
   */
  readonly into?: string;
  readonly check?: boolean;
  /** Whether to write plain Terraform instead of an app. */
  readonly hcl?: boolean;
  readonly stacks?: string;
  /** The address that Terraform installs the provider from. */
  readonly providerSource?: string;
  readonly json?: boolean;
}

/**
 * Reads a running estate, and writes an app that declares it, or adds to an app what it lacks.
 *
 * @returns the exit code.
 */
export async function adopt(flags: AdoptFlags, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const stacks = stacksOf(flags);
  const remarks = new Remarks();
  const estate = await read(flags, stacks, env, remarks);
  const found = appOf(estate, flags.into === undefined ? [] : readdirSync(flags.into));
  const app = flags.hcl ? withResourceNames(found) : found;
  const outcome = {
    app,
    remarks,
    ...write(app, flags, remarks),
    ...(flags.check && { checked: stacks.folder }),
  };
  if (flags.json) printJson(process.stdout, outcomeData(outcome));
  else printWrapped(process.stdout, renderOutcome(outcome, styleFor(process.stdout, env)));
  if (remarks.leftOut.length > 0 || (flags.check && app.stacks.length > 0)) return EXIT.problems;
  return remarks.unread.length > 0 ? EXIT.unknown : EXIT.ok;
}

/** The stacks whose objects are not adopted. */
interface ManagingStacks {
  readonly folder: string;
  readonly stacks: readonly Stack[];
}

function stacksOf({ into, check, stacks: given }: AdoptFlags): ManagingStacks {
  const folder = given ?? join(into ?? '.', 'cdktf.out');
  if (into === undefined && !check) return { folder, stacks: [] };
  const stacks = stacksIn(folder);
  if (stacks.length > 0) return { folder, stacks };
  throw new UserError({
    summary: `no stacks found in ${visible(folder)}, so the objects that they manage could not be determined`,
    cures: 'synthesize the app, or set --stacks to its output folder',
  });
}

function read(
  flags: AdoptFlags,
  { stacks }: ManagingStacks,
  env: NodeJS.ProcessEnv,
  remarks: Remarks,
): Promise<Estate> {
  const names = flags.cluster ?? clusterNamesIn(env);
  checkNames(names);
  checkDescribed(names, env);
  const settings = clustersInEnvironment(names, env);
  const options = {
    kinds: flags.only ?? KINDS,
    namespaces: flags.namespace ?? [],
    defaultPolicy: flags.defaultPolicy ?? false,
    isManaged: managedIn({ stacks }, settings, env),
  };
  return withProgress(`reading ${names.join(', ')}`, (progress) => {
    const reading = new EstateReads((done, asked) => progress.say(`reading: ${done} of ${asked}`));
    return withClusters(settings, env, (clusters) => readEstate(clusters, options, remarks, reading));
  });
}

function write(
  app: App,
  flags: AdoptFlags,
  remarks: Remarks,
): Pick<AdoptOutcome, 'folder' | 'files' | 'into'> {
  if (flags.check || app.stacks.length === 0) return { files: [] };
  const folder = flags.into ?? flags.output;
  const files = hideSecrets(filesOf(app, flags), remarks);
  writeApp(folder, files);
  return { folder, files: Object.keys(files), into: flags.into !== undefined };
}

function filesOf(app: App, { hcl, into, output, providerSource }: AdoptFlags): Files {
  if (hcl) return moduleFiles(app, providerSource);
  return into === undefined
    ? projectFiles(app, specifierFor(output, process.cwd()), providerSource)
    : filesOfStacks(app);
}

/**
 * Hides the tokens in the files, because a server may repeat the token that it was sent, and files
 * are committed.
 */
function hideSecrets(files: Files, remarks: Remarks): Files {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const shown = withoutSecrets(text);
      if (shown !== text) {
        const [stack = '', ...rest] = path.split('/');
        const what = `contained a token or password of this command, which was replaced by ${HIDDEN}`;
        remarks.leftOut.push({ cluster: stack, subject: rest.join('/'), text: what });
      }
      return [path, shown];
    }),
  );
}

function checkNames(names: readonly string[]): void {
  const [problem] = names.flatMap((name) => clusterNameProblem(name) ?? []);
  if (problem === undefined) return;
  throw new UserError({
    summary: `${problem.received} ${problem.problem}`,
    allowed: problem.allowed,
    cures: 'choose another name, and rename its environment variables accordingly',
  });
}
