import { VaultError, type ReplicationStatus, type VaultClient } from '../../client';

/**
 * What a cluster says of replication. Servers without an enterprise edition have no such path, and some refuse it as they
 * refuse whatever nobody may call without a token.
 */
export async function replicationStatus(client: VaultClient): Promise<ReplicationStatus> {
  try {
    return (await client.replication.performance.status()).data;
  } catch (error) {
    if (!VaultError.is(error) || error.status === undefined) throw error;
    const { data } = await client.system.health();
    if (data.sealed || isEnterprise(data.version)) throw error;
    return { mode: 'unsupported' };
  }
}

/**
 * Whether a server has what this interface is about, beyond ACL policies.
 *
 * @param version as in `sys/health`: `1.21.0+ent`.
 */
export function isEnterprise(version: string): boolean {
  return version.includes('+ent');
}
