import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ASSUMPTIONS, type AssumptionName } from '../../emulator/assume';
import { UserError } from '../errors';
import { EXIT, type ExitCode } from '../exit-codes';
import { printError, printJson, printWrapped } from '../output/print';
import { withProgress } from '../output/progress';
import { anonymizer } from './anonymous';
import { renderReport } from './render';
import { reportOf, type PrintedReport } from './printed-report';
import { NotRemoved } from './scratch';
import { ReplicationSet } from './set';
import { Stop } from './stop';
import { type VerifyTarget, type TargetFlags, targetsOf } from './targets';
import { examine } from './examine';
import { Interrupted, NoAnswer, Wire } from './wire';
import type { ServerVersion } from './probes/probe';

/** The facts about a server in `sys/health`. */
interface ServerFacts {
  readonly version: ServerVersion;
  /** Names that a report must not show. */
  readonly names: readonly string[];
}

export interface VerifyFlags extends TargetFlags {
  readonly report?: string;
  readonly json?: boolean;
}

type Progress = (text: string) => void;

/**
 * Compares a server with the emulator's assumptions, and prints the findings.
 *
 * @returns the exit code.
 */
export async function runVerify(flags: VerifyFlags, env: NodeJS.ProcessEnv): Promise<number> {
  if (flags.report !== undefined) checkWritable(flags.report);
  const targets = targetsOf(flags, env);
  const stop = new Stop();
  const servers = targets.map(({ settings, token }) =>
    Wire.open({ ...settings.options, token }, stop.signal),
  );
  try {
    const report = await withProgress('looking at the server', (progress) =>
      verify(targets, servers, stop, (text) => progress.say(text)),
    );
    if (flags.report !== undefined) writeFileSync(flags.report, `${JSON.stringify(report, null, 2)}\n`);
    if (flags.json) printJson(process.stdout, report);
    else printWrapped(process.stdout, renderReport(report, env));
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
    await Promise.all(servers.map((server) => server.close()));
  }
}

async function verify(
  targets: readonly VerifyTarget[],
  servers: readonly Wire[],
  stop: Stop,
  progress: Progress,
): Promise<PrintedReport> {
  const [server] = servers as readonly [Wire, ...Wire[]];
  const facts = await Promise.all(servers.map(factsOf));
  const [{ version }] = facts as [(typeof facts)[0]];
  const wait = (milliseconds: number) => stop.wait(milliseconds);
  const names = [...facts.flatMap((each) => each.names), ...targets.map(({ settings }) => settings.name)];
  const look = async (set?: ReplicationSet) =>
    examine(
      {
        version,
        dialect: targets[0]?.settings.options.dialect ?? 'vault',
        server,
        set,
        anonymous: anonymizer(names),
        wait,
        pause,
        now: Date.now,
        progress,
        note: printError,
      },
      Object.keys(ASSUMPTIONS) as AssumptionName[],
    );
  if (servers.length === 1) return reportOf(version, await look());
  const members = servers.map((each, index) => ({
    name: (targets[index] as VerifyTarget).settings.name,
    server: each.root(),
  }));
  return reportOf(version, await onDisposable(new ReplicationSet(members, { wait, now: Date.now }), look));
}

/**
 * Runs a function with disposable clusters. Afterwards, replication is disabled on them, and
 * everything that was created is removed.
 */
async function onDisposable<Result>(
  set: ReplicationSet,
  use: (set: ReplicationSet) => Promise<Result>,
): Promise<Result> {
  await set.requireDisposable();
  try {
    await set.furnish();
    return await use(set);
  } finally {
    await set
      .steady(pause)
      .remove()
      .catch((error: unknown) => {
        throw new NotRemoved({
          summary: `cannot remove what this run made on the disposable clusters: ${(error as Error).message}`,
          cures: 'run the command again, which removes it first',
        });
      });
  }
}

/** @throws UserError if the report could not be written to the file at the end. */
function checkWritable(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new UserError(`the report ${file} cannot be written: ${(error as Error).message}`);
  }
}

function exitCodeOf({ counts }: PrintedReport): ExitCode {
  return counts.otherwise > 0 ? EXIT.problems : EXIT.ok;
}

/** @throws NoAnswer if the server is not a Vault server, or is sealed. */
export async function factsOf(server: Wire): Promise<ServerFacts> {
  const { body } = await server.root().get('sys/health');
  const { version, sealed, cluster_name: name, cluster_id: id } = body;
  if (typeof version !== 'string') throw new NoAnswer('there is no Vault at this address');
  if (sealed === true) throw new NoAnswer('the server is sealed: unseal it first');
  const { hostname } = new URL(server.address);
  const names = [hostname, name, id, server.namespace];
  return {
    version: readVersion(version),
    names: names.filter((each): each is string => typeof each === 'string' && each !== ''),
  };
}

/**
 * Reads a version without the suffix that a builder adds, because the suffix may contain a name.
 */
function readVersion(version: string): ServerVersion {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  const [edition = ''] = /\+ent(\.hsm)?(\.fips\d+(\.\d+)?)?/.exec(version) ?? [];
  const number = [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)] as const;
  return { text: `${number.join('.')}${edition}`, number };
}
