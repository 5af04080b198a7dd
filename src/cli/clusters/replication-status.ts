import { VaultError, type ReplicationStatus, type VaultClient } from '../../client';
import { isEnterprise } from '../../model/versions';

/**
 * Reads the replication status of a cluster. Servers of other editions do not have this path, and
 * some refuse it like any path that requires a token.
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
