import { Command } from 'commander';
import { PROVIDER_VERSION } from '../provider/about';
import { adoptCommand } from './adopt/command';
import { completionCommand } from './completion/command';
import { doctorCommand } from './doctor/command';
import { emulatorCommand } from './emulator-command';
import { EXIT, exitCodesHelp } from './exit-codes';
import { policyCommand } from './policy/command';
import { statusCommand } from './status/command';

/**
 * The command `vault-admin`. What its commands do is loaded when they run, so that helps and completion are there at once.
 *
 * It throws a CommanderError where the command line is not valid.
 */
export function program(): Command {
  const root = new Command('vault-admin')
    .description("Vault Enterprise's administrative interface from the command line.")
    .version(PROVIDER_VERSION)
    .addHelpText(
      'after',
      '\nClusters are described by the environment, under the names that the Terraform\n' +
        'provider reads: VAULT_ADDR, VAULT_TOKEN and so on; with several clusters\n' +
        'VAULTADMIN_US_ADDR, VAULTADMIN_US_TOKEN and so on for a cluster "us".\n' +
        exitCodesHelp({
          [EXIT.ok]: 'all is well',
          [EXIT.problems]: 'something is wrong with what was looked at',
          [EXIT.unknown]: 'it could not be found out',
        }) +
        '\nExamples:\n  $ vault-admin status\n  $ vault-admin help status\n',
    );
  const commands = [
    statusCommand(),
    doctorCommand(),
    adoptCommand(),
    policyCommand(),
    emulatorCommand(),
    completionCommand(),
  ];
  for (const command of commands) root.addCommand(command);
  for (const command of [root, ...commands.flatMap((each) => [each, ...each.commands])]) {
    command.exitOverride().showHelpAfterError('(add --help for what is allowed)');
  }
  return root;
}
