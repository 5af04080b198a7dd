/** The store of what is behind managed keys, for all clusters. */
export const KEY_STORES = 'key-stores';

/** The name of a cluster's store. */
export function clusterStore(cluster: string): string {
  return `cluster/${cluster}`;
}
