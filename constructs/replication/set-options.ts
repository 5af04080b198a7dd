import type { IVaultCluster } from '../clusters/cluster';
import type { Duration } from '../core/duration';

/** What can be said of a replication set beside its clusters. */
export interface PerfReplicationOptions {
  /**
   * The cluster address that the primary gives to its secondaries: that of a load balancer, for example. It counts when
   * a cluster becomes the primary.
   *
   * @default - the cluster address that the primary has for itself
   */
  readonly primaryClusterAddr?: string;

  /**
   * Whether Terraform refuses to end the set.
   *
   * @default true
   */
  readonly deletionProtection?: boolean;

  /**
   * The name of the primary, once more: lets it be promoted although the old one is lost, or although it lacks writes,
   * which are then lost. For a fail-over that nobody planned; take it out again afterwards.
   *
   * @default - never
   */
  readonly forcePromotion?: string;

  /**
   * Clusters that leave the set: Terraform has to reach a cluster to let it leave. They can be taken out after the apply.
   *
   * @default - none
   */
  readonly formerMembers?: IVaultCluster[];

  /**
   * Names of clusters that are gone for good and are not waited for. Never name one that may come back as a primary.
   *
   * @default - none
   */
  readonly abandonedClusters?: string[];

  /**
   * How long a change of a cluster's mode may take.
   *
   * @default - two minutes
   */
  readonly modeChangeTimeout?: Duration;

  /**
   * How long a secondary may take to get all data.
   *
   * @default - one hour
   */
  readonly syncTimeout?: Duration;
}
