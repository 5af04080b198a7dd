import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../../clusters/cluster';
import { noCluster } from '../../private/messages';

/** @throws Error where one of the clusters is not there: a type says otherwise of what is looked up in a record. */
export function requireClusters(set: IConstruct, clusters: readonly (IVaultCluster | undefined)[]): void {
  if (clusters.includes(undefined)) throw noCluster(set, 'performance replication set');
}
