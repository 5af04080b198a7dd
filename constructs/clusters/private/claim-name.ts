import type { TerraformStack } from 'cdktf';
import { duplicateClusterName } from '../../private/messages';
import type { IVaultCluster } from '../cluster';

/** The clusters of each stack, by their names. */
const CLUSTERS = new WeakMap<TerraformStack, Map<string, IVaultCluster>>();

/**
 * Reserves the name of a cluster in a stack, whatever provider its resources come from.
 *
 * @throws Error if another cluster of the stack has the name.
 */
export function claimName(stack: TerraformStack, cluster: IVaultCluster): void {
  const clusters = CLUSTERS.get(stack) ?? new Map<string, IVaultCluster>();
  CLUSTERS.set(stack, clusters);
  const other = clusters.get(cluster.name) ?? cluster;
  if (other !== cluster) throw duplicateClusterName(stack, cluster.name, other);
  clusters.set(cluster.name, cluster);
}
