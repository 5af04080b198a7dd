import { homedir } from 'node:os';
import { join } from 'node:path';
import { readPlainFile } from '../../files';
import { VaultError } from '../vault-error';
import { checkSetting } from './setting-checks';
import type { Environment } from './environment';

/** The maximum size in bytes. Tokens have hundreds of bytes, the CLI's settings some thousands. */
const LONGEST = 1024 * 1024;

/**
 * Returns the token that `vault login` stored in `~/.vault-token`; `undefined` if the file does not
 * exist. It is used if `VAULT_TOKEN` is not set. A configured token helper (`token_helper` in
 * `~/.vault`, or in the file of `VAULT_CONFIG_PATH`) is refused, because a library should not run
 * programs that its caller has not asked for.
 *
 * @throws VaultError `invalid_options` for a file that cannot be read, a token that cannot be sent,
 *   or a token helper.
 */
export function tokenFromFile(env: Environment): string | undefined {
  const home = env.HOME ?? homedir();
  const config = env.VAULT_CONFIG_PATH ?? join(home, '.vault');
  if (/^[ \t]*token_helper\s*=\s*"[^"]/m.test(readIfPresent(config) ?? '')) {
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
