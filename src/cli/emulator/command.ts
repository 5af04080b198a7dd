import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { Command, InvalidArgumentError, Option } from 'commander';
// The indexes of the folders are not imported, because they load all of the emulator for every
// command.
import { DEFAULT_SERVER_VERSION, serverFlavour } from '../../emulator/core/flavour';
import { type Assume, checkedChoice, readReport } from '../../emulator/assume';
import type { Dialect } from '../../model';
import { tryParseDuration } from '../../model/durations';
import { EXIT, exitCodesHelp } from '../exit-codes';
import { printError, printLines } from '../output/print';

interface Flags {
  readonly cluster?: Readonly<Record<string, number>>;
  readonly standbys?: number;
  readonly rootToken?: string;
  readonly serverVersion?: string;
  readonly dialect: Dialect;
  readonly tls?: boolean;
  readonly bind?: string;
  readonly allowHost?: readonly string[];
  readonly unavailable?: number;
  readonly assume?: Assumed;
  readonly data?: string;
  readonly auditFolder?: string;
  readonly disableSentinelTrace?: boolean;
  readonly seed?: string;
  readonly storedMounts?: boolean;
  readonly uninitialized?: 'shamir' | 'auto';
  readonly json?: boolean;
}

/** The assumptions of all options `--assume` together. */
interface Assumed {
  readonly assume: Assume;
  /** The server version in the last report. */
  readonly serverVersion?: string;
}

/** Returns `cdktf-vault-admin emulator`, which runs clusters on this machine until Ctrl-C. */
export function emulatorCommand(): Command {
  const command = new Command('emulator')
    .summary('run an emulated Vault Enterprise on this machine')
    .description(
      'Run an emulated Vault Enterprise: one or more clusters on this machine, in memory, until Ctrl-C.\n' +
        'With the root token, /emulator/v1/ on each cluster injects faults, moves the clock and lists requests.',
    );
  return withData(withServers(command))
    .option('--audit-folder <DIR>', 'the folder that audit devices may write to (default: none)')
    .option('--disable-sentinel-trace', 'omit the trace from denials by RGPs and EGPs')
    .option('--json', 'print addresses and tokens as one line of JSON')
    .addHelpText(
      'after',
      exitCodesHelp({
        [EXIT.ok]: 'the emulator was stopped',
        [EXIT.problems]: 'the emulator could not be started',
      }) +
        '\nExample:\n  $ npx cdktf-vault-admin emulator --cluster us=8200 --root-token root\n' +
        '  $ VAULT_ADDR=http://127.0.0.1:8200 VAULT_TOKEN=root vault policy list\n',
    )
    .allowExcessArguments(false)
    .action(
      async ({ cluster, allowHost, data, unavailable, assume, serverVersion: version, ...others }: Flags) => {
        const { runEmulator } = await import('../../emulator/command.js');
        const options = {
          ...others,
          clusters: cluster,
          allowedHosts: allowHost,
          dataFolder: data,
          unavailableMs: unavailable,
          assume: assume?.assume,
          serverVersion: version ?? assume?.serverVersion,
          onWarning: printError,
        };
        try {
          await runEmulator(options, (text) => printLines(process.stdout, text.split('\n')));
        } catch (error) {
          printError((error as Error).message);
          process.exitCode = EXIT.problems;
        }
      },
    );
}

/** Adds the options for the clusters, where they listen, and how they behave. */
function withServers(command: Command): Command {
  return command
    .option(
      '--cluster <NAME[=PORT]>',
      'a cluster and its port (default: any free port); repeatable (default: one cluster "default")',
      addCluster,
    )
    .option(
      '--standbys <COUNT>',
      'the number of standbys per cluster, on the ports after its own (default: 0)',
      standbys,
    )
    .option(
      '--root-token <TOKEN>',
      'the root token of every new cluster (default: a random token for each)',
      rootToken,
    )
    .option(
      '--server-version <VERSION>',
      'the version of the server, 1.13 to 2.x; a version without "+ent" is the open-source edition ' +
        `(default: that of a report given with --assume, otherwise ${DEFAULT_SERVER_VERSION})`,
      serverVersion,
    )
    .addOption(
      new Option(
        '--dialect <DIALECT>',
        "vendor names in requests and responses: Vault's own, or neutral ones",
      )
        .choices(['vault', 'neutral'])
        .default('vault'),
    )
    .option('--tls', 'serve TLS, with certificates from a new CA')
    .option(
      '--bind <ADDRESS>',
      'the IP address to listen on; 0.0.0.0 for all addresses of this machine (default: 127.0.0.1)',
      ipAddress,
    )
    .option(
      '--allow-host <NAME>',
      'an additional host name that clients may use, besides localhost and loopback addresses; repeatable',
      addHost,
    )
    .option(
      '--unavailable <DURATION>',
      'how long a cluster is unavailable after a change of its replication mode (default: 300ms)',
      unavailableMs,
    )
    .option(
      '--assume <NAME=ALTERNATIVE|FILE>',
      'select an alternative for a behavior that public sources leave open, see docs/emulator-assumptions.md; or the ' +
        'report of "vault-admin verify", to behave as that server did; repeatable',
      addAssumption,
    );
}

/** Adds the options for what the clusters contain. */
function withData(command: Command): Command {
  return command
    .option(
      '--data <DIR>',
      'store the data in this folder; a request is answered only after its changes are on disk (default: in memory)',
    )
    .option(
      '--seed <FILE>',
      'initial data of new clusters: a file with writes and replication sets, or the output of "adopt --json"',
    )
    .option(
      '--stored-mounts',
      'mounts of types that are not emulated, such as pki, return what was written below them (default: they have no paths)',
    )
    .addOption(
      new Option(
        '--uninitialized [SEAL]',
        'new clusters are not initialized: sys/init returns the shares of a key that unseals them (shamir), or ' +
          'recovery keys, as with automatic unsealing (auto)',
      )
        .choices(['shamir', 'auto'])
        .preset('shamir'),
    );
}

const HIGHEST_PORT = 65_535;

function addCluster(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, name = '', port] = /^([A-Za-z0-9][\w-]*)(?:=(\d+))?$/.exec(text) ?? [];
  if (name === '') {
    throw new InvalidArgumentError(
      'Allowed is NAME or NAME=PORT, with letters, digits, "-" and "_" in the name, and a number as the port.',
    );
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`Cluster "${name}" is given twice.`);
  if (Number(port ?? 0) > HIGHEST_PORT)
    throw new InvalidArgumentError(`Allowed are ports from 0 to ${HIGHEST_PORT}.`);
  return { ...before, [name]: Number(port ?? 0) };
}

/** The maximum number of standbys: one digit, because the emulator refuses more. */
const MOST_STANDBYS = 9;

function standbys(text: string): number {
  if (/^\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`Allowed are 0 to ${MOST_STANDBYS}.`);
}

function ipAddress(text: string): string {
  if (isIP(text) === 0) throw new InvalidArgumentError('Allowed are IP addresses, such as 0.0.0.0.');
  return text;
}

function addHost(name: string, before: readonly string[] = []): readonly string[] {
  if (!/^[A-Za-z0-9.-]+$/.test(name)) {
    throw new InvalidArgumentError('Allowed are host names, without scheme and port.');
  }
  return [...before, name];
}

function addAssumption(text: string, before: Assumed = { assume: {} }): Assumed {
  const [, name = '', alternative] = /^(\w+)=([\w.-]+)$/.exec(text) ?? [];
  try {
    if (name !== '') {
      checkedChoice(name, alternative);
      return { ...before, assume: { ...before.assume, [name]: alternative } };
    }
    if (!existsSync(text)) {
      throw new RangeError('Allowed are NAME=ALTERNATIVE, and the file of a report');
    }
    const { assume, serverVersion } = readReport(text);
    return { assume: { ...before.assume, ...assume }, serverVersion };
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(`${error.message}.`) : error;
  }
}

function rootToken(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new InvalidArgumentError('Allowed are printable characters without spaces.');
  return text;
}

function serverVersion(text: string): string {
  try {
    return serverFlavour(text).version;
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(`${error.message}.`) : error;
  }
}

function unavailableMs(text: string): number {
  const seconds = tryParseDuration(text);
  if (seconds !== undefined && seconds >= 0) return seconds * 1000;
  throw new InvalidArgumentError('Allowed are durations from 0, such as 300ms or 5s.');
}
