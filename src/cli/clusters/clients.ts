import { type VaultClient, VaultError } from '../../client';
import type { Cluster } from '../../provider/clusters/cluster';

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

/** The client for what is in the root namespace alone, wherever the cluster's settings point: replication. */
export async function rootClient(cluster: Cluster): Promise<VaultClient> {
  return (await cluster.client('')).withNamespace('');
}

/** What the token may ask of itself is granted by the policy `default`, which it need not have. */
export async function unlessDenied<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'denied') throw error;
    return undefined;
  }
}
