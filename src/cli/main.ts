#!/usr/bin/env node
import { CommanderError } from 'commander';
import { UserError } from './errors';
import { EXIT } from './exit-codes';
import { printError } from './output/print';
import { showControlCharacters } from './output/style';
import { program } from './program';

for (const stream of [process.stdout, process.stderr]) showControlCharacters(stream);
tolerateClosedPipes();
/** Resolves when the command has ended. */
export const ENDED: Promise<unknown> = program()
  .parseAsync()
  .catch((error: unknown) => {
    if (error instanceof CommanderError) {
      // Commander has already printed the message.
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    printError(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof UserError ? EXIT.usage : EXIT.unknown;
  });

/**
 * Lets a command end normally if its output is closed by the reader, as in `cdktf-vault-admin
 * status | head -1`. Other write failures, such as a full disk, are reported.
 */
function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      printError(`the output could not be written: ${error.message}`);
      process.exit(EXIT.unknown);
    });
  }
}
