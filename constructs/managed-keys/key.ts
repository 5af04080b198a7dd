import type { IConstruct } from 'constructs';
import type { IVaultCluster } from '../clusters/cluster';
import type { Grant } from '../policies/grant';
import type { IAclPolicy } from '../policies/policy';

/** A managed key on a cluster, whether this app writes it or not. */
export interface IManagedKey extends IConstruct {
  /** The cluster that the key is on. */
  readonly cluster: IVaultCluster;

  /** The key's name. */
  readonly keyName: string;

  /** The namespace that the key is in, within the namespace of the cluster. */
  readonly namespace?: string | undefined;

  /**
   * Lets a mount use the key, by adding it to the mount's list of allowed keys. Keys that are listed there already
   * stay.
   *
   * The mount then comes after the key, and goes before it: the server refuses to delete a key that a mount lists. To
   * delete a key whose mount stays, take it off the mount in one apply and delete it in the next: in the same apply,
   * Terraform would delete first.
   *
   * @throws Error for a mount in another namespace: it cannot use the key.
   */
  allowOn(mount: IManagedKeyMount): void;

  /** Permits a policy's tokens to read the key's configuration, which shows no secret. */
  grantRead(policy: IAclPolicy): Grant;

  /** Permits a policy's tokens to write, read and delete the key's configuration, and to try it with a signature. */
  grantManage(policy: IAclPolicy): Grant;

  /**
   * Permits a policy's tokens to try the key with a signature over random data, which generates the key where that is
   * allowed and none is there.
   */
  grantTestSign(policy: IAclPolicy): Grant;
}

/**
 * A mount that lists the managed keys it may use: `Mount` of `@cdktf/provider-vault`, or one of its secrets engines.
 */
export interface IManagedKeyMount extends IConstruct {
  /** The names of the keys listed. */
  allowedManagedKeys: string[];

  /** The names of the keys as the mount was given them. */
  readonly allowedManagedKeysInput?: string[] | undefined;

  /** The namespace of the mount as it was given. */
  readonly namespaceInput?: string | undefined;
}
