import type { ClusterSettings } from '../../provider/configuration';
import { environmentPrefix } from '../../model/clusters';

/**
 * Returns the source of a cluster's token, for messages. `undefined` if the token is from a login
 * or missing.
 */
export function tokenSource(
  { name, options: { token }, login, usualTokenFile }: ClusterSettings,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (login !== undefined) return undefined;
  if (token === undefined) return usualTokenFile ? '~/.vault-token' : undefined;
  const variables = [`${environmentPrefix(name)}TOKEN`, ...(usualTokenFile ? ['VAULT_TOKEN'] : [])];
  return variables.find((variable) => env[variable]?.trim() === token) ?? "the provider's configuration";
}
