import type { Duration } from '../core/duration';

/** A client certificate for mutual TLS. */
export interface VaultClientAuth {
  /** The file with the certificate in PEM, on the machine that runs Terraform. */
  readonly certFile: string;
  /**
   * The file with the private key of the certificate in PEM, on the machine that runs Terraform.
   */
  readonly keyFile: string;
}

/** A login with an auth method, instead of a token. */
export interface VaultAuthLogin {
  /** The path of the login, such as `auth/approle/login` or `auth/userpass/login/alice`. */
  readonly path: string;

  /**
   * The namespace to log in to.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /**
   * The login method, if the provider has to compute parameters for it, such as `aws`.
   *
   * @default - the parameters are sent as they are
   */
  readonly method?: string | undefined;

  /**
   * The parameters of the login, such as `role_id` and `secret_id`.
   *
   * Parameters must be references, such as `VaultSecret.fromVariable('secret_id')`, except `role`,
   * `role_id`, `role_name`, `name` and `username`, which may be in plain text.
   *
   * @default - none
   */
  readonly parameters?: { [name: string]: string } | undefined;

  /**
   * The path at which the `secret_id` in `parameters` was wrapped, such as
   * `auth/approle/role/ci/secret-id`. The `secret_id` is then a wrapping token, which is unwrapped
   * once, before the first login. A token from another path is refused.
   *
   * The provider `hashicorp/vault` does not support it.
   *
   * @default - the `secret_id` is not wrapped
   */
  readonly secretIdWrappingPath?: string | undefined;
}

/** The time at which a token without the rights for planned changes is an error. */
export enum RightsCheck {
  /** At apply, before the first write. The plan warns. */
  APPLY = 'apply',
  /** At apply, before the first write. The plan does not warn: its token may only read. */
  APPLY_ONLY = 'apply_only',
  /** In the plan. */
  PLAN = 'plan',
}

/** The names that a server uses for vendors, in storage types, backends and their fields. */
export enum VaultDialect {
  /** Vault's own names, such as `awskms` and `aws-s3`. */
  VAULT = 'vault',
  /** Neutral names, such as `provAkms` and `provA-s3`. */
  NEUTRAL = 'neutral',
}

/**
 * The connection to a cluster. Settings that are left out come from the environment of Terraform.
 */
export interface VaultConnection {
  /**
   * The address of the cluster, such as `https://vault.example.com:8200`.
   *
   * @default - from the environment: `VAULT_ADDR`. The provider `vaultadmin` reads
   *   `VAULTADMIN_<NAME>_ADDR` first, and nothing else if a stack uses several clusters. Where both
   *   providers have the cluster, both read `VAULT_ADDR`
   */
  readonly address?: string | undefined;

  /**
   * The namespace of the cluster that everything else is relative to.
   *
   * @default - from the environment, as for `address`; else the root namespace
   */
  readonly namespace?: string | undefined;

  /**
   * The token to use. It must be a reference, such as `VaultSecret.fromVariable('us_token')`.
   *
   * @default - from the environment, as for `address`
   */
  readonly token?: string | undefined;

  /**
   * The login that provides a token. It excludes `token`.
   *
   * @default - no login
   */
  readonly authLogin?: VaultAuthLogin | undefined;

  /**
   * The file with trusted CA certificates in PEM, on the machine that runs Terraform.
   *
   * @default - from the environment, as for `address`; else the CA certificates of the system
   */
  readonly caCertFile?: string | undefined;

  /**
   * The folder with files of trusted CA certificates in PEM, on the machine that runs Terraform.
   *
   * @default - from the environment, as for `address`; else the CA certificates of the system
   */
  readonly caCertDir?: string | undefined;

  /**
   * The name to expect in the certificate of the cluster.
   *
   * @default - the host of `address`
   */
  readonly tlsServerName?: string | undefined;

  /**
   * Whether to trust any certificate. Do not use it in production.
   *
   * @default false
   */
  readonly skipTlsVerify?: boolean | undefined;

  /**
   * The client certificate for mutual TLS.
   *
   * @default - from the environment, as for `address`; else none
   */
  readonly clientAuth?: VaultClientAuth | undefined;

  /**
   * Vendor names that the server uses. This does not change the names in this app.
   *
   * The provider `hashicorp/vault` supports only Vault's own names.
   *
   * @default - from the environment, as for `address`; else `VaultDialect.VAULT`
   */
  readonly dialect?: VaultDialect | undefined;

  /**
   * When it is an error that the token lacks rights for the planned changes.
   *
   * The provider `hashicorp/vault` does not check them.
   *
   * @default - from the environment, as for `address`; else `RightsCheck.APPLY`
   */
  readonly checkRights?: RightsCheck | undefined;

  /**
   * The headers to send with every request, such as those that a proxy in front of the cluster
   * requires.
   *
   * Their values must be references, such as `VaultSecret.fromVariable('access_secret')`. Headers
   * that the provider sets itself, such as `X-Vault-Token`, are refused.
   *
   * @default - from the environment, as for `address`; else none
   */
  readonly headers?: { [name: string]: string } | undefined;

  /**
   * The timeout of a request, including retries. `Duration.seconds(0)` means no limit.
   *
   * The provider `hashicorp/vault` reads it from the environment only: `VAULT_CLIENT_TIMEOUT`.
   *
   * @default - from the environment, as for `address`; else 60 seconds
   */
  readonly timeout?: Duration | undefined;

  /**
   * The number of retries of a request that the server could not answer, such as after 429 or 503.
   *
   * @default - from the environment, as for `address`; else 2
   */
  readonly maxRetries?: number | undefined;
}
