import type { KeySpec } from './key-spec';

/** A key in an Azure Key Vault, of the type RSA-HSM. */
export interface AzureKeyVaultKeyProps {
  /** Tenant id of the Azure Active Directory organization. */
  readonly tenantId: string;

  /** Name of the Key Vault that holds the key. */
  readonly vaultName: string;

  /** Name of the key in the Key Vault. */
  readonly keyName: string;

  /**
   * The size of the key, such as `KeySpec.rsa(3072)`. Required if the key may be generated.
   *
   * @default - the size of the key that exists
   */
  readonly keySpec?: KeySpec | undefined;

  /**
   * Client id of the credentials.
   *
   * @default - a managed service identity
   */
  readonly clientId?: string | undefined;

  /**
   * Client secret of the credentials. It has to be a reference, such as
   * `VaultSecret.fromVariable('key_vault_client_secret')`.
   *
   * @default - a managed service identity
   */
  readonly clientSecret?: string | undefined;

  /**
   * To be raised with every change of the client secret, for Terraform to write it anew: it cannot compare what it
   * does not store.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * The cloud whose addresses are used: `AZUREUSGOVERNMENTCLOUD`.
   *
   * @default 'AZUREPUBLICCLOUD'
   */
  readonly environment?: string | undefined;

  /**
   * DNS suffix of the Key Vault. A managed HSM has another one: `managedhsm.azure.net`.
   *
   * @default 'vault.azure.net'
   */
  readonly resource?: string | undefined;
}
