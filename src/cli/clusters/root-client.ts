import type { VaultClient } from '../../client';
import type { Cluster } from '../../provider/clusters/cluster';

/** The client for what is in the root namespace alone, wherever the cluster's settings point: replication. */
export async function rootClient(cluster: Cluster): Promise<VaultClient> {
  return (await cluster.client('')).withNamespace('');
}
