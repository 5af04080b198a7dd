import { Command } from 'commander';
import { UserError } from '../../errors';

const PACKAGES = 'vscode-languageserver vscode-languageserver-textdocument';

/** Returns `cdktf-vault-admin policy language-server`, which editors start. */
export function languageServerCommand(): Command {
  return new Command('language-server')
    .summary('serve findings, completion and more to an editor')
    .description(
      'Serve the Language Server Protocol over standard input and output: the findings of "policy lint" and "policy check", ' +
        'their corrections, explanations, completion and the canonical layout. Editors start it; nothing is sent elsewhere. ' +
        `It needs two further packages: npm install --save-dev ${PACKAGES}. The executable of the command line contains them.`,
    )
    .option('--stdio', 'use standard input and output, as editors ask for (the default)')
    .addHelpText('after', '\nExample:\n  $ npx cdktf-vault-admin policy language-server\n')
    .action(async () => {
      const { serveOverStdio } = await import('../../../language-server/index.js').catch(explained);
      serveOverStdio();
    });
}

/** @throws UserError if a package is missing. */
function explained(error: unknown): never {
  const isMissing = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
  if (!isMissing || !/vscode-languageserver/.test((error as Error).message)) throw error;
  throw new UserError(`the language server requires two packages: run npm install --save-dev ${PACKAGES}`, {
    cause: error,
  });
}
