import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../clusters/cluster';

/** A performance replication set, managed by this app or imported. */
export interface IPerfReplicationSet extends IConstruct {
  /** The primary. */
  readonly primary: IVaultCluster;

  /** The id of the replication set, the same on all its clusters. */
  readonly clusterId: string;
}
