import type { IVaultCluster } from '../clusters/cluster';
import type { Duration } from '../core/duration';

/** When a switchover promotes the successor. */
export enum Switchover {
  /**
   * Once the former primary answers again and both have the same data. Until then, the set has no
   * primary.
   */
  VERIFIED = 'verified',
  /**
   * As soon as the former primary has stepped down. The data is compared afterwards: if the former
   * primary has writes that the new one lacks, it keeps them and does not follow, and the apply
   * fails.
   */
  IMMEDIATE = 'immediate',
}

/** The options of a replication set, in addition to its clusters. */
export interface PerfReplicationOptions {
  /**
   * The cluster address that the primary gives to its secondaries, for example that of a load
   * balancer. It takes effect when a cluster becomes the primary.
   *
   * @default - the cluster address in the configuration of the primary's server
   */
  readonly primaryClusterAddr?: string | undefined;

  /**
   * The `primaryClusterAddr` of each cluster while it is the primary, by cluster name. With it, a
   * switchover needs no other address. Conflicts with `primaryClusterAddr`.
   *
   * @default - `primaryClusterAddr` for the primary
   */
  readonly primaryClusterAddrs?: { [cluster: string]: string } | undefined;

  /**
   * Whether Terraform refuses to end the set.
   *
   * @default true
   */
  readonly deletionProtection?: boolean | undefined;

  /**
   * Repeat the primary's name to force its promotion if the old primary is lost, or if the new one
   * lacks writes, which are then lost. For an unplanned failover; remove it afterwards.
   *
   * @default - a promotion is never forced
   */
  readonly forcePromotion?: string | undefined;

  /**
   * When a switchover promotes the successor. `IMMEDIATE` takes half the time, and is meant for a
   * pause of all writers.
   *
   * @default Switchover.VERIFIED
   */
  readonly switchover?: Switchover | undefined;

  /**
   * Clusters that leave the set: Terraform must be able to reach a cluster so that it can leave.
   * Remove them after the apply.
   *
   * @default - none
   */
  readonly formerMembers?: IVaultCluster[] | undefined;

  /**
   * Clusters that are gone for good: nothing waits for them. Never name a cluster that may come
   * back as a primary.
   *
   * @default - none
   */
  readonly abandonedClusters?: IVaultCluster[] | undefined;

  /**
   * Maximum time for a cluster to change its mode.
   *
   * @default - two minutes
   */
  readonly modeChangeTimeout?: Duration | undefined;

  /**
   * Maximum time that a switchover leaves the set without a primary while the new one is catching
   * up, before the old one becomes the primary again. Never longer than `modeChangeTimeout`.
   *
   * @default - 30 seconds
   */
  readonly takeoverTimeout?: Duration | undefined;

  /**
   * Maximum time for a secondary to receive all data.
   *
   * @default - one hour
   */
  readonly syncTimeout?: Duration | undefined;
}
