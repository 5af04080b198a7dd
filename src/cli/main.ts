#!/usr/bin/env node
import { Command } from 'commander';
import { emulatorCommand } from './emulator-command';

async function main(): Promise<void> {
  await new Command('vault-admin')
    .description("Vault Enterprise's administrative interface from the command line.")
    .version(packageVersion())
    .showHelpAfterError('(add --help for what is allowed)')
    .addCommand(emulatorCommand())
    .parseAsync();
}

function packageVersion(): string {
  // By the package's name it is found from the sources as well as from what is built of them.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would copy the file into lib/
  const { version } = require('cdktf-vault-admin/package.json') as { version: string };
  return version;
}

main().catch((error: unknown) => {
  console.error(`vault-admin: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
