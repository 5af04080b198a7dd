import { Command, Option } from 'commander';
import { PROVIDER_VERSION } from '../provider/about';
import { adoptCommand } from './adopt/command';
import { completionCommand } from './completion/command';
import type { OneOffFlags } from './clusters/one-off';
import { doctorCommand } from './doctor/command';
import { emulatorCommand } from './emulator/command';
import { EXIT, exitCodesHelp } from './exit-codes';
import { counted } from './output/lists';
import { HELP_OUTPUT } from './output/help';
import { ERROR_PREFIX, printLines } from './output/print';
import { initCommand } from './init/command';
import { planPictureCommand } from './plan-picture/command';
import { policyCommand } from './policy/command';
import { visible } from '../text/visible';
import { statusCommand } from './status/command';
import { verifyCommand } from './verify/command';

/**
 * The commands whose option `--cluster` names other clusters than those of the environment: new
 * ones, or those of stacks.
 */
const HAS_OWN_CLUSTERS = ['emulator', 'doctor'];

/**
 * Returns the command `cdktf-vault-admin`. The code of a command is loaded when it runs, so that
 * help and completion are fast.
 *
 * The command throws a CommanderError if the command line is not valid.
 */
export function program(): Command {
  const root = new Command('cdktf-vault-admin')
    .description('Check, show, adopt and emulate Vault Enterprise clusters.')
    .version(PROVIDER_VERSION)
    .addHelpText(
      'after',
      '\nThe environment describes the clusters, with the same variables as for the\n' +
        'Terraform provider: VAULT_ADDR, VAULT_TOKEN and so on; with several clusters\n' +
        'VAULTADMIN_US_ADDR, VAULTADMIN_US_TOKEN and so on for a cluster "us".\n' +
        exitCodesHelp({
          [EXIT.ok]: 'all is well',
          [EXIT.problems]: 'there are problems',
          [EXIT.unknown]: 'the result could not be determined',
        }) +
        '\nExamples:\n  $ npx cdktf-vault-admin status\n  $ npx cdktf-vault-admin help status\n',
    );
  const commands = [
    statusCommand(),
    doctorCommand(),
    initCommand(),
    adoptCommand(),
    policyCommand(),
    planPictureCommand(),
    emulatorCommand(),
    verifyCommand(),
    completionCommand(),
    versionCommand(),
  ];
  root.hook('preAction', requireFolder);
  for (const command of commands) root.addCommand(command);
  for (const command of commands.flatMap((each) => [each, ...each.commands])) withOneOff(command);
  for (const command of [root, ...commands.flatMap((each) => [each, ...each.commands])]) {
    command
      .exitOverride()
      .showHelpAfterError('(use --help for usage)')
      .configureOutput({
        ...HELP_OUTPUT,
        outputError: (text, write) => write(withVisibleArguments(withExcessNamed(text, command))),
      })
      .addOption(new Option('--no-color', 'print no colors (as with NO_COLOR=1)'))
      .on('option:no-color', () => (process.env.NO_COLOR = '1'));
    if (SHOWS_PROGRESS.includes(command.name())) withQuiet(command);
  }
  return root;
}

/** Every command reads or writes files of the current folder, or names paths relative to it. */
function requireFolder(): void {
  try {
    process.cwd();
  } catch {
    throw new Error(
      'the current folder does not exist any more: change to another folder, or to the new one at its path (cd "$PWD")',
    );
  }
}

/** The commands that show progress on a terminal. */
const SHOWS_PROGRESS = ['status', 'doctor', 'adopt', 'verify', 'from-audit'];

function withQuiet(command: Command): void {
  command.option('--quiet', 'print no progress, only results and errors').hook('preAction', async () => {
    if (!command.opts<{ readonly quiet?: boolean }>().quiet) return;
    const { silenceProgress } = await import('./output/progress.js');
    silenceProgress();
  });
}

/**
 * Adds the options for a server that the environment does not describe to a command that can read
 * from a server.
 */
function withOneOff(command: Command): void {
  const asksCluster = command.options.some(({ long }) => long === '--cluster' || long === '--from-cluster');
  if (!asksCluster || HAS_OWN_CLUSTERS.includes(command.name())) return;
  command
    .addOption(
      new Option(
        '--address <URL>',
        'use the server at this address, instead of those of the environment',
      ).conflicts('stacks'),
    )
    .option('--token-file <FILE>', 'use the token in this file, instead of VAULT_TOKEN')
    .hook('preAction', async () => {
      const flags: OneOffFlags = command.opts();
      if (flags.address === undefined && flags.tokenFile === undefined) return;
      const { useOneOff } = await import('./clusters/one-off.js');
      useOneOff(flags, process.env);
    });
}

function versionCommand(): Command {
  return new Command('version')
    .description('Print the version number.')
    .summary('print the version number')
    .addHelpText('after', exitCodesHelp({ [EXIT.ok]: 'the version was printed' }))
    .allowExcessArguments(false)
    .action(() => printLines(process.stdout, [PROVIDER_VERSION]));
}

/** Returns an error message that names the excess arguments. Commander only counts them. */
function withExcessNamed(message: string, command: Command): string {
  if (!message.startsWith('error: too many arguments')) return message;
  const { length } = command.registeredArguments;
  const excess = command.args.slice(length);
  const takes = length === 0 ? 'no arguments' : counted(length, 'argument');
  const arguments_ = `argument${excess.length === 1 ? '' : 's'}`;
  const list = excess.map((argument) => `'${argument}'`).join(', ');
  return `error: unexpected ${arguments_} ${list}: '${command.name()}' takes ${takes}\n`;
}

/**
 * Returns an error message that begins like all others, with escapes for control characters in
 * quoted arguments. Line breaks of the message itself stay.
 */
function withVisibleArguments(message: string): string {
  const begun = message.replace(/^error: /, ERROR_PREFIX);
  return process.argv.reduce((text, argument) => text.replaceAll(argument, visible(argument)), begun);
}
