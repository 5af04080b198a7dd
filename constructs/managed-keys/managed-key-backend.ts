import { MANAGED_KEY_BACKENDS, MECHANISMS } from '../../src/model';
import { asFields } from '../private/arguments';
import type { BackendSettings } from '../private/backend-settings';
import type { AwsKmsKeyProps } from './aws-kms-key';
import type { AzureKeyVaultKeyProps } from './azure-key-vault-key';
import type { GcpCkmsKeyProps } from './gcp-ckms-key';
import type { Pkcs11KeyProps } from './pkcs11-key';

/** A kind of backend. Interface section 2.1. */
export enum ManagedKeyType {
  /** An HSM, reached through PKCS#11. */
  PKCS11 = 'pkcs11',
  /** AWS KMS. */
  AWS_KMS = 'awskms',
  /** Azure Key Vault. */
  AZURE_KEY_VAULT = 'azurekeyvault',
  /** Google Cloud KMS. */
  GCP_CKMS = 'gcpckms',
}

/** Where the key itself is kept. Interface section 2.1. */
export class ManagedKeyBackend {
  /** An HSM, reached through PKCS#11. The server has to be one that is built with support for HSMs. */
  public static pkcs11(props: Pkcs11KeyProps): ManagedKeyBackend {
    const { pin, secretsVersion, ...fields } = props;
    const named = MECHANISMS.find(({ name }) => name === props.mechanism);
    const mechanism = named?.text ?? props.mechanism;
    return new ManagedKeyBackend(ManagedKeyType.PKCS11, { ...fields, mechanism }, { pin }, secretsVersion);
  }

  /** AWS KMS. */
  public static awsKms(props: AwsKmsKeyProps): ManagedKeyBackend {
    const { accessKey, secretKey, secretsVersion, ...fields } = props;
    return new ManagedKeyBackend(
      ManagedKeyType.AWS_KMS,
      fields,
      { access_key: accessKey, secret_key: secretKey },
      secretsVersion,
    );
  }

  /** Azure Key Vault. */
  public static azureKeyVault(props: AzureKeyVaultKeyProps): ManagedKeyBackend {
    const { clientSecret, secretsVersion, ...fields } = props;
    const keyType = 'RSA-HSM';
    return new ManagedKeyBackend(
      ManagedKeyType.AZURE_KEY_VAULT,
      { ...fields, keyType },
      { client_secret: clientSecret },
      secretsVersion,
    );
  }

  /** Google Cloud KMS. */
  public static gcpCkms(props: GcpCkmsKeyProps): ManagedKeyBackend {
    const { credentials, secretsVersion, ...fields } = props;
    return new ManagedKeyBackend(ManagedKeyType.GCP_CKMS, fields, { credentials }, secretsVersion);
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  private constructor(
    /** @internal */
    public readonly _type: ManagedKeyType,
    fields: object,
    secrets: Readonly<Record<string, string | undefined>>,
    secretsVersion: number = 1,
  ) {
    const { definition } = MANAGED_KEY_BACKENDS[_type];
    this._settings = { definition, fields: asFields(fields), secrets, secretsVersion };
  }
}
