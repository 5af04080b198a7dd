import type { TerraformProvider } from 'cdktf';
import type { IConstruct } from 'constructs';

/** The Terraform provider whose resources the constructs of a cluster become. */
export enum ResourceProvider {
  /** The provider `hashicorp/vault`, which Terraform downloads. */
  UPSTREAM = 'upstream',
  /** The provider `vaultadmin`, which is part of this package. */
  VAULTADMIN = 'vaultadmin',
}

/**
 * The reaction to arguments and capabilities of ACL policies that are not known to this package.
 */
export enum UnknownPolicySyntax {
  /** An error. */
  ERROR = 'error',
  /** A warning, because the server may be newer, or OpenBao. */
  WARN = 'warn',
}

/** A Vault cluster. */
export interface IVaultCluster extends IConstruct {
  /** The name of the cluster in this app. */
  readonly name: string;

  /** The provider whose resources the constructs of the cluster become. */
  readonly resourceProvider: ResourceProvider;

  /**
   * The version of the server, such as `1.16`: RGPs and EGPs must not use what its Sentinel does
   * not have.
   *
   * @default - not known: all of Sentinel may be used
   */
  readonly serverVersion?: string | undefined;

  /**
   * The reaction to arguments and capabilities of ACL policies that are not known to this package.
   *
   * @default UnknownPolicySyntax.ERROR
   */
  readonly unknownPolicySyntax?: UnknownPolicySyntax | undefined;

  /**
   * Whether resources of the provider `vaultadmin` take over the objects of resources of
   * `hashicorp/vault` with the same address.
   *
   * @default true
   */
  readonly moveFromUpstream?: boolean | undefined;

  /**
   * Returns the provider of the cluster in the stack of `scope`, for resources that have no
   * construct in this package.
   *
   * The first call in a stack declares the provider.
   *
   * @param scope a construct of the stack.
   * @param choice the provider. Default: the one whose resources the constructs of the cluster
   *   become.
   */
  providerFor(scope: IConstruct, choice?: ResourceProvider): TerraformProvider;
}
