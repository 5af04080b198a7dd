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
  readonly namespace?: string | undefined;

  /**
   * A login method that the provider has to compute parameters for, such as `aws`.
   *
   * @default - the parameters are sent as they are
   */
  readonly method?: string | undefined;

  /**
   * What the login needs: `role_id`, `secret_id`, `password` and so on. What may be secret has to be a reference,
   * such as `VaultSecret.fromVariable('secret_id')`; in plain text go `role`, `role_id`, `role_name`, `name` and
   * `username`.
   *
   * @default - none
   */
  readonly parameters?: { [name: string]: string } | undefined;
}

/** The names that a server has for vendors: of storage types, backends and their fields. */
export enum VaultDialect {
  /** The product's own: `awskms`, `aws-s3`. */
  VAULT = 'vault',
  /** Neutral ones: `provAkms`, `provA-s3`. */
  NEUTRAL = 'neutral',
}

/** How a cluster is reached. What is left out comes from the environment that Terraform runs in. */
export interface VaultConnection {
  /**
   * The cluster's address: `https://vault.example.com:8200`.
   *
   * @default - what the provider finds in its environment: `VAULT_ADDR`; `vaultadmin` looks for
   * `VAULTADMIN_<NAME>_ADDR` first, and for nothing else where a stack uses several clusters
   */
  readonly address?: string | undefined;

  /**
   * The namespace that everything of this cluster is relative to.
   *
   * @default - from the environment, as for `address`; else the root namespace
   */
  readonly namespace?: string | undefined;

  /**
   * The token to work with. It has to be a reference, such as `VaultSecret.fromVariable('us_token')`.
   *
   * @default - from the environment, as for `address`
   */
  readonly token?: string | undefined;

  /**
   * A login to get the token from, instead of `token`.
   *
   * @default - no login
   */
  readonly authLogin?: VaultAuthLogin | undefined;

  /**
   * File with the CA certificates to trust, PEM, on the machine that runs Terraform.
   *
   * @default - from the environment, as for `address`; else the system's
   */
  readonly caCertFile?: string | undefined;

  /**
   * Folder with files of CA certificates to trust, PEM, on the machine that runs Terraform.
   *
   * @default - from the environment, as for `address`; else the system's
   */
  readonly caCertDir?: string | undefined;

  /**
   * The name that the cluster's certificate has to be for.
   *
   * @default - the host of `address`
   */
  readonly tlsServerName?: string | undefined;

  /**
   * Trust any certificate. Not for production.
   *
   * @default false
   */
  readonly skipTlsVerify?: boolean | undefined;

  /**
   * A client certificate to show to the cluster.
   *
   * @default - from the environment, as for `address`; else none
   */
  readonly clientAuth?: VaultClientAuth | undefined;

  /**
   * The names that the server has for vendors. Code is written with the product's names, whatever this is. Resources of
   * `hashicorp/vault` know the product's alone.
   *
   * @default - from the environment, as for `address`; else VaultDialect.VAULT
   */
  readonly dialect?: VaultDialect | undefined;
}
