#!/usr/bin/env node
import { CommanderError } from 'commander';
import { EXIT } from './exit-codes';
import { tolerateClosedPipes } from './output/closed-pipes';
import { UserError } from './output/user-error';
import { program } from './program';

tolerateClosedPipes();
program()
  .parseAsync()
  .catch((error: unknown) => {
    if (error instanceof CommanderError) {
      // Commander has printed what there is to say.
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    console.error(`vault-admin: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof UserError ? EXIT.usage : EXIT.problems;
  });
