import { homedir } from 'node:os';
import { join } from 'node:path';
import { readPlainFile } from '../../files';
import { VaultError } from '../vault-error';
import { checkSetting } from './checks';
import type { Environment } from './environment';

/** In bytes. Tokens have hundreds, settings of the command line some thousands. */
const LONGEST = 1024 * 1024;

/**
 * The token that `vault login` left in `~/.vault-token`, or nothing. It is the last source of a token, after
 * `VAULT_TOKEN`. A token helper of the user's own (`token_helper` in `~/.vault`, or in the file that
 * `VAULT_CONFIG_PATH` names) is a program to run, which a library should not do unasked: it is refused.
 *
 * @throws VaultError `invalid_options`: a file that cannot be read, a token that cannot be sent, a token helper.
 */
export function tokenFromFile(env: Environment): string | undefined {
  const home = env.HOME ?? homedir();
  const config = env.VAULT_CONFIG_PATH ?? join(home, '.vault');
  if (/^\s*token_helper\s*=\s*"[^"]/m.test(readIfPresent(config) ?? '')) {
    throw new VaultError({
      code: 'invalid_options',
      message: `${config} names a token helper, which is not run; set VAULT_TOKEN to what it prints for "get"`,
    });
  }
  const file = join(home, '.vault-token');
  return checkSetting('token', readIfPresent(file)?.trim() ?? '', file) || undefined;
}

function readIfPresent(file: string): string | undefined {
  try {
    return readPlainFile(file, LONGEST).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new VaultError({
      code: 'invalid_options',
      message: `cannot read ${file}: ${(error as Error).message}; set VAULT_TOKEN, or make the file readable`,
    });
  }
}
