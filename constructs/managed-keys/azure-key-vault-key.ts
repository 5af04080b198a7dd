import type { KeySpec } from './key-spec';

/** How data is encrypted with a key in an Azure Key Vault. */
export enum AzureEncryptionMode {
  /** With an AES-GCM key that the key wraps. */
  ENVELOPE = 'envelope',
  /** With the key itself. */
  RAW = 'raw',
}

/** The properties of a key in an Azure Key Vault, of the type `RSA-HSM`. */
export interface AzureKeyVaultKeyProps {
  /** The tenant id of the Microsoft Entra (Azure Active Directory) organization. */
  readonly tenantId: string;

  /** The name of the Key Vault that holds the key. */
  readonly vaultName: string;

  /** The name of the key in the Key Vault. */
  readonly keyName: string;

  /**
   * The size of the key, such as `KeySpec.rsa(3072)`. Required if the key may be generated.
   *
   * @default - the size of the key that exists
   */
  readonly keySpec?: KeySpec | undefined;

  /**
   * The client id of the credentials.
   *
   * @default - a managed identity is used
   */
  readonly clientId?: string | undefined;

  /**
   * The client secret of the credentials. It must be a reference, such as
   * `VaultSecret.fromVariable('key_vault_client_secret')`.
   *
   * @default - a managed identity is used
   */
  readonly clientSecret?: string | undefined;

  /**
   * The version of the secrets. Raise it with every change of the client secret, so that Terraform
   * writes the new value.
   *
   * Terraform does not store secrets, so it cannot detect that they have changed.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * The Azure cloud, such as `AZUREUSGOVERNMENTCLOUD`.
   *
   * @default 'AZUREPUBLICCLOUD'
   */
  readonly environment?: string | undefined;

  /**
   * The DNS suffix of the Key Vault. For a managed HSM, it is `managedhsm.azure.net`.
   *
   * @default 'vault.azure.net'
   */
  readonly resource?: string | undefined;

  /**
   * How data is encrypted. Requires Vault 2.0.
   *
   * @default AzureEncryptionMode.ENVELOPE
   */
  readonly encryptionMode?: AzureEncryptionMode | undefined;
}
