import { TerraformStack, type TerraformProvider } from 'cdktf';
import { Construct, type IConstruct } from 'constructs';
import { requireOneFramework } from '../private/framework';
import { checkConnection, type Connection } from './private/connection';
import { upstreamProvider } from './private/upstream-provider';
import { vaultadminProvider } from './private/vaultadmin-provider';

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
   */
  providerFor(scope: IConstruct): TerraformProvider;
}

/** A client certificate to show to the cluster. */
export interface VaultClientAuth {
  /** File with the certificate, PEM, on the machine that runs Terraform. */
  readonly certFile: string;
  /** File with the certificate's private key, PEM, on the machine that runs Terraform. */
  readonly keyFile: string;
}

/** A login that gives the token to work with. */
export interface VaultAuthLogin {
  /** The path to log in at: `auth/approle/login`, `auth/userpass/login/alice`. */
  readonly path: string;

  /**
   * The namespace to log in to.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string;

  /**
   * A login method that the provider has to compute parameters for, such as `aws`.
   *
   * @default - the parameters are sent as they are
   */
  readonly method?: string;

  /**
   * What the login needs: `role_id`, `secret_id`, `password` and so on. What may be secret has to be a reference,
   * such as `VaultSecret.fromVariable('secret_id')`; in plain text go `role`, `role_id`, `role_name`, `name` and
   * `username`.
   *
   * @default - none
   */
  readonly parameters?: { [name: string]: string };
}

export interface VaultClusterProps {
  /**
   * The cluster's name in this app: letters, digits, `-` and `_`. A stack cannot use two clusters of one name.
   *
   * @default 'default'
   */
  readonly name?: string;

  /**
   * The cluster's address: `https://vault.example.com:8200`.
   *
   * @default - what the provider finds in its environment: `VAULT_ADDR`; `vaultadmin` looks for
   * `VAULTADMIN_<NAME>_ADDR` first, and for nothing else where a stack uses several clusters
   */
  readonly address?: string;

  /**
   * The namespace that everything of this cluster is relative to.
   *
   * @default - from the environment, as for `address`; else the root namespace
   */
  readonly namespace?: string;

  /**
   * The token to work with. It has to be a reference, such as `VaultSecret.fromVariable('us_token')`.
   *
   * @default - from the environment, as for `address`
   */
  readonly token?: string;

  /**
   * A login to get the token from, instead of `token`.
   *
   * @default - no login
   */
  readonly authLogin?: VaultAuthLogin;

  /**
   * File with the CA certificates to trust, PEM, on the machine that runs Terraform.
   *
   * @default - from the environment, as for `address`; else the system's
   */
  readonly caCertFile?: string;

  /**
   * Folder with files of CA certificates to trust, PEM, on the machine that runs Terraform.
   *
   * @default - from the environment, as for `address`; else the system's
   */
  readonly caCertDir?: string;

  /**
   * The name that the cluster's certificate has to be for.
   *
   * @default - the host of `address`
   */
  readonly tlsServerName?: string;

  /**
   * Trust any certificate. Not for production.
   *
   * @default false
   */
  readonly skipTlsVerify?: boolean;

  /**
   * A client certificate to show to the cluster.
   *
   * @default - from the environment, as for `address`; else none
   */
  readonly clientAuth?: VaultClientAuth;

  /**
   * Whose Terraform resources the cluster's constructs become.
   *
   * @default VaultResources.UPSTREAM
   */
  readonly resources?: VaultResources;
}

/**
 * A handle on one Vault cluster, to be given to everything that is written to it.
 *
 * It may be used from several stacks: each gets provider blocks of its own.
 */
export class VaultCluster extends Construct implements IVaultCluster {
  public readonly name: string;
  public readonly resources: VaultResources;
  private readonly connection: Connection;
  private readonly providers = new Map<TerraformStack, TerraformProvider>();

  /** @throws Error for a secret in plain text, for `token` together with `authLogin`, and for an unfit name. */
  constructor(scope: Construct, id: string, props: VaultClusterProps = {}) {
    super(scope, id);
    requireOneFramework(this);
    const { name = 'default', resources = VaultResources.UPSTREAM, ...connection } = props;
    this.name = name;
    this.resources = resources;
    this.connection = connection;
    checkConnection(this, name, connection);
  }

  public providerFor(scope: IConstruct): TerraformProvider {
    const stack = TerraformStack.of(scope);
    const present = this.providers.get(stack);
    if (present) return present;
    const make = this.resources === VaultResources.VAULTADMIN ? vaultadminProvider : upstreamProvider;
    const provider = make(stack, this, this.connection);
    this.providers.set(stack, provider);
    return provider;
  }
}
