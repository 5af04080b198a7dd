import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../clusters/cluster';
import type { Grant } from '../policies/grant';
import type { IAclPolicy } from '../policies/policy';

/** When snapshots count as healthy. */
export interface SnapshotHealthCheckProps {
  /**
   * How many intervals may have passed since the last success.
   *
   * @default 2
   */
  readonly maxIntervals?: number | undefined;

  /**
   * How many attempts in a row may have failed.
   *
   * @default 0
   */
  readonly maxErrors?: number | undefined;
}

/** A configuration of automated snapshots on a cluster, whether this app writes it or not. */
export interface IAutoSnapshot extends IConstruct {
  /** The cluster that takes the snapshots. */
  readonly cluster: IVaultCluster;

  /** The configuration's name. */
  readonly snapshotName: string;

  /** The namespace that the configuration is written to, within the namespace of the cluster. */
  readonly namespace?: string | undefined;

  /**
   * Has every plan and apply look whether snapshots are really taken, and warn where they are not: a Terraform `check`
   * block with the status that the cluster gives.
   *
   * A status that cannot be read is a warning, too, so that a check never stands in the way. For this Terraform reads it
   * anew in every apply, and says so in every plan: `plan -detailed-exitcode` ends with 2, though nothing is to be
   * changed. The status is read by `vaultadmin`, whatever the switch of the cluster says.
   */
  addHealthCheck(props?: SnapshotHealthCheckProps): void;

  /** Permits a policy's tokens to read the configuration, secrets included. */
  grantRead(policy: IAclPolicy): Grant;

  /** Permits a policy's tokens to write, read and delete the configuration. */
  grantManage(policy: IAclPolicy): Grant;

  /** Permits a policy's tokens to read how the snapshots go. */
  grantReadStatus(policy: IAclPolicy): Grant;
}
