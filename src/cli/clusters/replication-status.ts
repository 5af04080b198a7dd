import { VaultError, type ReplicationStatus, type VaultClient } from '../../client';

/** What a cluster says of replication. Servers without an enterprise edition have no such path. */
export async function replicationStatus(client: VaultClient): Promise<ReplicationStatus> {
  try {
    return (await client.replication.performance.status()).data;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'unsupported_path') throw error;
    return { mode: 'unsupported' };
  }
}
