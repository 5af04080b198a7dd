import { type VaultClient, VaultError } from '../../client';
import type { Cluster } from '../../provider/clusters/cluster';

/**
 * Returns the client for calls that require a token. Looks up the token first, so that an invalid
 * token or a missing namespace is reported once, and not for every call that is then refused.
 *
 * @returns null if no token is given.
 * @throws VaultError if the server does not know the token.
 */
export async function authorizedClient(cluster: Cluster): Promise<VaultClient | null> {
  const client = await cluster.client('');
  if (client === cluster.anonymous()) return null;
  // If the look-up is denied, the token is valid.
  await unlessDenied(client.token.lookupSelf());
  return client;
}

/**
 * Returns the client for the root namespace, whatever namespace the settings name: replication
 * exists only in the root namespace.
 */
export async function rootClient(cluster: Cluster): Promise<VaultClient> {
  return (await cluster.client('')).withNamespace('');
}

/**
 * Returns `undefined` if the call is denied. The policy `default` permits such calls, but a token
 * need not have that policy.
 */
export async function unlessDenied<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'denied') throw error;
    return undefined;
  }
}

/**
 * Returns `undefined` if the server's edition or version, or the namespace, does not offer the
 * call.
 */
export async function ifOffered<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'unsupported_path') throw error;
    return undefined;
  }
}
