import type { IVaultCluster } from '../clusters/cluster';
import type { PathsFilter } from './paths-filter';

/**
 * The way in which an activation token is passed to its secondary. The token never leaves the
 * provider's process.
 */
export enum TokenDelivery {
  /** Encrypted, so that only this secondary can use it. */
  PUBLIC_KEY = 'public_key',
  /** Wrapped: the secondary unwraps it with a call to the primary. */
  WRAPPED = 'wrapped',
}

/** A cluster of a replication set, with its options as a secondary. */
export interface PerfReplicationMember {
  /** The cluster. */
  readonly cluster: IVaultCluster;

  /**
   * The data that the cluster receives while it is a secondary. The filter is written before the
   * cluster receives anything.
   *
   * @default - everything is replicated
   */
  readonly pathsFilter?: PathsFilter | undefined;

  /**
   * Repeat the cluster's name to confirm that everything it holds may be erased when it joins. It
   * is used up when the cluster joins.
   *
   * @default - only an empty cluster may join
   */
  readonly confirmDataLoss?: string | undefined;

  /**
   * The id under which the primary knows the cluster. A change requires a new activation token.
   *
   * @default - the name of the cluster
   */
  readonly secondaryId?: string | undefined;

  /**
   * How activation tokens reach the cluster.
   *
   * @default TokenDelivery.PUBLIC_KEY
   */
  readonly tokenDelivery?: TokenDelivery | undefined;

  /**
   * The address at which the cluster reaches the API of the primary.
   *
   * @default - the address in the activation token
   */
  readonly primaryApiAddr?: string | undefined;

  /**
   * Path of a PEM file with the CA certificates that the cluster trusts when it calls the primary,
   * on the cluster's own machines.
   *
   * @default - the CA certificates of those machines
   */
  readonly caFile?: string | undefined;

  /**
   * Path of a directory of PEM files with the CA certificates that the cluster trusts when it calls
   * the primary, on the cluster's own machines.
   *
   * @default - the CA certificates of those machines
   */
  readonly caPath?: string | undefined;
}
