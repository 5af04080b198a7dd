import type { VaultClient } from '../../client';
import type { Cluster } from '../../provider/clusters/cluster';
import { unlessDenied } from './unless-denied';

/**
 * The client for what needs a token. The server is asked whether it knows the token, so that a wrong one, or a namespace
 * that is not there, is told once, and not for everything that is then refused.
 *
 * @returns null where no token is given.
 * @throws VaultError where the server does not know the token.
 */
export async function authorizedClient(cluster: Cluster): Promise<VaultClient | null> {
  const client = await cluster.client('');
  if (client === cluster.anonymous()) return null;
  // That the look-up was refused shows that the token is known.
  await unlessDenied(client.token.lookupSelf());
  return client;
}
