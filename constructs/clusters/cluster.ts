import type { TerraformProvider } from 'cdktf';
import type { IConstruct } from 'constructs';

/** Whose Terraform resources a cluster's constructs become. */
export enum VaultResources {
  /** Those of the provider `hashicorp/vault`, which is downloaded. */
  UPSTREAM = 'upstream',
  /** Those of the provider `vaultadmin`, which is part of this package. */
  VAULTADMIN = 'vaultadmin',
}

/** A cluster that constructs are written to. */
export interface IVaultCluster extends IConstruct {
  /** The cluster's name in this app. */
  readonly name: string;

  /** Whose Terraform resources the cluster's constructs become. */
  readonly resources: VaultResources;

  /**
   * The provider block of the cluster in the stack of `scope`, for resources that are declared without one of
   * these constructs. It is made when it is first asked for.
   *
   * @param resources whose resources it is for. Default: those that the cluster's constructs become.
   */
  providerFor(scope: IConstruct, resources?: VaultResources): TerraformProvider;
}
