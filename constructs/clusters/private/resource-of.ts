import type { TerraformProvider, TerraformResource } from 'cdktf';
import type { IVaultCluster } from '../cluster';

/** Whose provider a block is. */
const OWNERS = new WeakMap<TerraformProvider, IVaultCluster>();

/** Notes that a provider's block is the one of a cluster alone. */
export function ownProvider(cluster: IVaultCluster, provider: TerraformProvider): void {
  OWNERS.set(provider, cluster);
}

/** Whether a resource that is declared without our constructs is on a cluster, by the provider it was given. */
export function isResourceOf(cluster: IVaultCluster, { provider }: TerraformResource): boolean {
  return provider !== undefined && OWNERS.get(provider) === cluster;
}
