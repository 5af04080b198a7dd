import { Command } from 'commander';
import { PROVIDER_VERSION } from '../provider/about';
import { adoptCommand } from './adopt/command';
import { completionCommand } from './completion/command';
import { doctorCommand } from './doctor/command';
import { emulatorCommand } from './emulator-command';
import { EXIT, exitCodesHelp } from './exit-codes';
import { planPictureCommand } from './plan-picture/command';
import { policyCommand } from './policy/command';
import { visible } from '../text/visible';
import { statusCommand } from './status/command';
import { verifyCommand } from './verify/command';

/**
 * The command `cdktf-vault-admin`. The code of a command is loaded when it runs, so that help and
 * completion are fast.
 *
 * It throws a CommanderError if the command line is not valid.
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
    adoptCommand(),
    policyCommand(),
    planPictureCommand(),
    emulatorCommand(),
    verifyCommand(),
    completionCommand(),
  ];
  for (const command of commands) root.addCommand(command);
  for (const command of [root, ...commands.flatMap((each) => [each, ...each.commands])]) {
    command
      .exitOverride()
      .showHelpAfterError('(use --help for usage)')
      .configureOutput({ outputError: (text, write) => write(withVisibleArguments(text)) });
  }
  return root;
}

/** Shows line breaks in arguments, in a message that quotes one and has lines of its own. */
function withVisibleArguments(message: string): string {
  return process.argv.reduce((text, argument) => text.replaceAll(argument, visible(argument)), message);
}
