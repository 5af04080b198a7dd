import type { IVaultCluster } from '../clusters/cluster';
import type { PathsFilter } from './paths-filter';

/** How an activation token gets to its secondary. Neither way does it leave the provider's process. */
export enum TokenDelivery {
  /** Encrypted, so that the one secondary alone can use it. */
  PUBLIC_KEY = 'public_key',
  /** The secondary unwraps it, by a call to the primary. */
  WRAPPED = 'wrapped',
}

/** A cluster of a replication set, and what applies to it while it is a secondary. */
export interface PerfReplicationMember {
  /** The cluster. */
  readonly cluster: IVaultCluster;

  /**
   * What the cluster gets while it is a secondary. It is written before the cluster receives anything.
   *
   * @default - everything
   */
  readonly pathsFilter?: PathsFilter;

  /**
   * The name of the cluster, once more: confirms that everything it holds may be erased when it joins. It counts for
   * one time.
   *
   * @default - only a cluster that is as new joins
   */
  readonly confirmDataLoss?: string;

  /**
   * The id under which the primary knows the cluster. Another id takes a new activation token.
   *
   * @default - the name of the cluster
   */
  readonly secondaryId?: string;

  /**
   * How activation tokens get to the cluster.
   *
   * @default TokenDelivery.PUBLIC_KEY
   */
  readonly tokenDelivery?: TokenDelivery;

  /**
   * Where the cluster reaches the API of the primary.
   *
   * @default - the address that the primary has for itself
   */
  readonly primaryApiAddr?: string;

  /**
   * File with the CA certificate, PEM, that the cluster trusts when it calls the primary. On the cluster's own machines.
   *
   * @default - the CA certificates of those machines
   */
  readonly caFile?: string;

  /**
   * Folder with files of CA certificates, PEM, that the cluster trusts when it calls the primary. On the cluster's own
   * machines.
   *
   * @default - the CA certificates of those machines
   */
  readonly caPath?: string;
}
