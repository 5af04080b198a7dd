import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../clusters/cluster';
import type { Grant } from '../policies/grant';
import type { IAclPolicy } from '../policies/policy';

/** The conditions of a health check of automated snapshots. */
export interface SnapshotHealthCheckProps {
  /**
   * The maximum number of intervals since the last successful snapshot.
   *
   * @default 2
   */
  readonly maxIntervals?: number | undefined;

  /**
   * The maximum number of consecutive failures.
   *
   * @default 0
   */
  readonly maxErrors?: number | undefined;
}

/** A configuration of automated snapshots, managed by this app or imported. */
export interface IAutoSnapshot extends IConstruct {
  /** The cluster that takes the snapshots. */
  readonly cluster: IVaultCluster;

  /** The name of the configuration. */
  readonly snapshotName: string;

  /** The namespace of the configuration, within the namespace of the cluster. */
  readonly namespace?: string | undefined;

  /**
   * Adds a health check: every plan and apply warns if snapshots are overdue or failed.
   *
   * It becomes a Terraform `check` block with the status of the cluster, read by the provider
   * `vaultadmin` on every cluster. A status that cannot be read is a warning as well, so that a
   * check never blocks an apply. Because Terraform reads the status again in every apply, `plan
   * -detailed-exitcode` ends with 2 even if nothing has changed.
   */
  addHealthCheck(props?: SnapshotHealthCheckProps): void;

  /** Grants a policy permission to read the configuration, secrets included. */
  grantRead(policy: IAclPolicy): Grant;

  /** Grants a policy permission to write, read and delete the configuration. */
  grantManage(policy: IAclPolicy): Grant;

  /** Grants a policy permission to read the status of the snapshots. */
  grantReadStatus(policy: IAclPolicy): Grant;
}
