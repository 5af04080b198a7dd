import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tokenFromFile } from '../../client';
import { ASSUMPTIONS, type AssumptionName } from '../../emulator/assume';
import type { ClusterSettings } from '../../provider/configuration';
import { checkDescribed, clusterNamesIn } from '../clusters/cluster-names';
import { clustersInEnvironment } from '../clusters/open-clusters';
import { UserError } from '../errors';
import { EXIT, type ExitCode } from '../exit-codes';
import { printError, printJson, printLines } from '../output/print';
import { withProgress } from '../output/progress';
import { hideInOutput } from '../output/secrets';
import { anonymizer } from './anonymous';
import { renderReport } from './render';
import { reportOf, type Report } from './report';
import { NotRemoved, withScratch } from './scratch';
import { factsOf } from './server';
import { Stop } from './stop';
import { walk } from './walk';
import { Interrupted, NoAnswer, Wire } from './wire';

export interface VerifyFlags {
  readonly cluster?: string;
  readonly report?: string;
  readonly json?: boolean;
}

/** Compares a server with what the emulator assumes, and prints what was found. @returns what to end with. */
export async function runVerify(flags: VerifyFlags, env: NodeJS.ProcessEnv): Promise<number> {
  if (flags.report !== undefined) checkWritable(flags.report);
  const settings = settingsOf(flags, env);
  const stop = new Stop();
  const server = Wire.open({ ...settings.options, token: tokenOf(settings, env) }, stop.signal);
  try {
    const report = await withProgress('looking at the server', (progress) =>
      verify(server, settings, stop, (text) => progress.say(text)),
    );
    if (flags.report !== undefined) writeFileSync(flags.report, `${JSON.stringify(report, null, 2)}\n`);
    if (flags.json) printJson(process.stdout, report);
    else printLines(process.stdout, renderReport(report, env));
    return exitCodeOf(report);
  } catch (error) {
    if (error instanceof Interrupted) {
      printError('interrupted; what was made on the server is removed');
      return stop.exitCode;
    }
    if (!(error instanceof NoAnswer || error instanceof NotRemoved)) throw error;
    printError(error.message);
    return EXIT.unknown;
  } finally {
    stop.end();
    await server.close();
  }
}

async function verify(
  server: Wire,
  { options }: ClusterSettings,
  stop: Stop,
  progress: (text: string) => void,
): Promise<Report> {
  const { version, names } = await factsOf(server);
  const wait = (milliseconds: number) => stop.wait(milliseconds);
  return withScratch(server, { wait, note: printError }, async (scratch) =>
    reportOf(
      version,
      await walk(
        {
          version,
          dialect: options.dialect ?? 'vault',
          server,
          scratch,
          anonymous: anonymizer(names),
          wait,
          now: Date.now,
          progress,
        },
        Object.keys(ASSUMPTIONS) as AssumptionName[],
      ),
    ),
  );
}

/** @throws UserError unless there is one cluster. */
function settingsOf({ cluster }: VerifyFlags, env: NodeJS.ProcessEnv): ClusterSettings {
  const names = cluster === undefined ? clusterNamesIn(env) : [cluster];
  if (names.length > 1) {
    throw new UserError(
      `the environment describes several clusters: choose one with --cluster\nDescribed: ${names.join(', ')}.`,
    );
  }
  checkDescribed(names, env);
  return clustersInEnvironment(names, env)[0] as ClusterSettings;
}

/** @throws UserError if there is no token: nothing could be written. */
function tokenOf({ name, options, usualTokenFile }: ClusterSettings, env: NodeJS.ProcessEnv): string {
  const token = options.token ?? (usualTokenFile ? tokenFromFile(env) : undefined);
  if (token === undefined)
    throw new UserError(`cluster ${JSON.stringify(name)} has no token: a token is necessary`);
  hideInOutput(token);
  return token;
}

/** @throws UserError for a file that could not be written in the end. */
function checkWritable(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new UserError(`the report ${file} cannot be written: ${(error as Error).message}`);
  }
}

function exitCodeOf({ counts }: Report): ExitCode {
  return counts.otherwise > 0 ? EXIT.problems : EXIT.ok;
}
