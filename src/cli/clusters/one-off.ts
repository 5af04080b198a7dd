import { checkSetting } from '../../client/internal';
import { readTextFile } from '../../policy/text-file';
import { visible } from '../../text';
import { UserError } from '../errors';
import { readNamed } from '../named-files';

export interface OneOffFlags {
  readonly address?: string;
  readonly tokenFile?: string;
}

/** The maximum size in bytes. */
const LONGEST_TOKEN = 1024 * 1024;
/** Matches the variables of clusters with names, which take precedence over the usual variables. */
const OF_NAMED_CLUSTERS = /^VAULTADMIN_.+_[A-Z]+$/;

/**
 * Changes the environment so that it describes one cluster, at the address that was given on the
 * command line.
 *
 * @throws UserError or VaultError for an address or a token that cannot be used.
 */
export function useOneOff({ address, tokenFile }: OneOffFlags, env: NodeJS.ProcessEnv): void {
  if (address !== undefined) {
    env.VAULT_ADDR = checkSetting('address', address, '--address');
    for (const variable of Object.keys(env)) if (OF_NAMED_CLUSTERS.test(variable)) delete env[variable];
  }
  if (tokenFile !== undefined) env.VAULT_TOKEN = tokenIn(tokenFile);
}

function tokenIn(file: string): string {
  const text = readNamed(`--token-file: ${file}`, () => readTextFile(file, LONGEST_TOKEN).trim());
  if (text === '') throw new UserError(visible(`--token-file: ${file} is empty; write the token into it`));
  return checkSetting('token', text, `--token-file: ${visible(file)}`);
}
