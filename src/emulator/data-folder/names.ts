/** The name of the store that holds the contents of the key stores, for all clusters. */
export const KEY_STORES = 'key-stores';

/** Returns the name of a cluster's store. */
export function clusterStore(cluster: string): string {
  return `cluster/${cluster}`;
}
