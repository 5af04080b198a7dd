import { Command } from 'commander';
import { adoptCommand } from './adopt/command';
import { completionCommand } from './completion/command';
import { doctorCommand } from './doctor/command';
import { emulatorCommand } from './emulator-command';
import { statusCommand } from './status/command';

/** The command `vault-admin`. It throws a CommanderError where the command line is not valid. */
export function program(): Command {
  const root = new Command('vault-admin')
    .description("Vault Enterprise's administrative interface from the command line.")
    .version(packageVersion());
  const commands = [statusCommand(), doctorCommand(), adoptCommand(), emulatorCommand(), completionCommand()];
  for (const command of commands) root.addCommand(command);
  for (const command of [root, ...commands]) {
    command.exitOverride().showHelpAfterError('(add --help for what is allowed)');
  }
  return root;
}

function packageVersion(): string {
  // By the package's name it is found from the sources as well as from what is built of them.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would copy the file into lib/
  const { version } = require('cdktf-vault-admin/package.json') as { version: string };
  return version;
}
