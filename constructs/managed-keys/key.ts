import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../clusters/cluster';
import type { Grant } from '../policies/grant';
import type { IAclPolicy } from '../policies/policy';

/** A managed key, managed by this app or imported. */
export interface IManagedKey extends IConstruct {
  /** The cluster that the key is on. */
  readonly cluster: IVaultCluster;

  /** The name of the key. */
  readonly keyName: string;

  /** The namespace that the key is in, within the namespace of the cluster. */
  readonly namespace?: string | undefined;

  /**
   * Allows a mount to use the key, by adding it to the mount's list of allowed keys.
   *
   * Terraform then creates the mount after the key and destroys it before the key: the server
   * refuses to delete a key that a mount lists. To delete a key whose mount stays, remove it from
   * the mount in one apply and delete it in the next. In the same apply, Terraform would delete the
   * key first.
   *
   * @throws Error if the mount is in another namespace than the key.
   */
  allowOn(mount: IManagedKeyMount): void;

  /** Grants a policy permission to read the configuration of the key, which shows no secret. */
  grantRead(policy: IAclPolicy): Grant;

  /**
   * Grants a policy permission to write, read and delete the configuration of the key, and to test
   * it with a signature.
   */
  grantManage(policy: IAclPolicy): Grant;

  /**
   * Grants a policy permission to test the key with a signature over random data.
   *
   * The signature generates the key, if it does not exist and may be generated.
   */
  grantTestSign(policy: IAclPolicy): Grant;
}

/**
 * A mount that may use managed keys: `Mount` of `@cdktf/provider-vault`, or one of its secrets
 * engines.
 */
export interface IManagedKeyMount extends IConstruct {
  /** The names of the keys that the mount may use. */
  allowedManagedKeys: string[];

  /** The names of the keys, as given to the mount. */
  readonly allowedManagedKeysInput?: string[] | undefined;

  /** The namespace of the mount, as given to it. */
  readonly namespaceInput?: string | undefined;
}
