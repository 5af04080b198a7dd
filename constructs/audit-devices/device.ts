import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../clusters/cluster';
import type { Grant } from '../policies/grant';
import type { IAclPolicy } from '../policies/policy';

/** An audit device, managed by this app or imported. */
export interface IAuditDevice extends IConstruct {
  /** The cluster whose requests are logged. */
  readonly cluster: IVaultCluster;

  /** The path that the device is enabled at. */
  readonly path: string;

  /** The namespace that the device is enabled in, within the namespace of the cluster. */
  readonly namespace?: string | undefined;

  /**
   * Grants a policy permission to compute the hash of a value, as the entries of the device show
   * it.
   *
   * With the hash of a token or a secret, its requests are found in the log.
   */
  grantHash(policy: IAclPolicy): Grant;
}
