import { brand } from '../private/brand';
import { findMechanism, MANAGED_KEY_BACKENDS, type FieldValues } from '../../src/model';
import { asFields } from '../private/arguments';
import type { BackendSettings } from '../private/backend-settings';
import { checkObject, KEY_SPEC, MECHANISM } from '../private/expectations';
import type { LateProp } from '../private/late-values';
import { azureNeedsRsa, otherKeyFamily } from '../private/messages';
import { lateProps } from '../private/string-props';
import type { AwsKmsKeyProps } from './aws-kms-key';
import type { AzureKeyVaultKeyProps } from './azure-key-vault-key';
import type { GcpCkmsKeyProps } from './gcp-ckms-key';
import type { Pkcs11KeyProps } from './pkcs11-key';
import { code } from '../../src/model/messages';

/** The kind of backend of a managed key. */
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

/** The HSM or key-management service that holds a managed key. */
export class ManagedKeyBackend {
  /** An HSM, reached through PKCS#11. The server must be built with support for HSMs. */
  public static pkcs11(props: Pkcs11KeyProps): ManagedKeyBackend {
    checkObject('ManagedKeyBackend.pkcs11', 'Pkcs11KeyProps', props, { mechanism: MECHANISM });
    const { pin, secretsVersion, mechanism, keySpec, ...others } = props;
    const known = findMechanism(mechanism._text);
    if (keySpec && known && keySpec._family !== known.keyFamily) throw otherKeyFamily(known, keySpec._family);
    const fields = { ...asFields({ ...others, mechanism: mechanism._text }), ...keySpec?._fields };
    return new ManagedKeyBackend(
      ManagedKeyType.PKCS11,
      fields,
      { pin },
      lateProps('Pkcs11KeyProps', props),
      secretsVersion,
    );
  }

  /** AWS KMS. */
  public static awsKms(props: AwsKmsKeyProps): ManagedKeyBackend {
    checkObject(code('ManagedKeyBackend.awsKms'), 'AwsKmsKeyProps', props, { keySpec: KEY_SPEC });
    const { accessKey, secretKey, secretsVersion, keySpec, ...others } = props;
    const fields = { ...asFields(others), key_type: keySpec._family, ...keySpec._fields };
    const secrets = { access_key: accessKey, secret_key: secretKey };
    return new ManagedKeyBackend(
      ManagedKeyType.AWS_KMS,
      fields,
      secrets,
      lateProps('AwsKmsKeyProps', props),
      secretsVersion,
    );
  }

  /** Azure Key Vault. */
  public static azureKeyVault(props: AzureKeyVaultKeyProps): ManagedKeyBackend {
    checkObject(code('ManagedKeyBackend.azureKeyVault'), 'AzureKeyVaultKeyProps', props, {});
    const { clientSecret, secretsVersion, keySpec, ...others } = props;
    if (keySpec?._family === 'ECDSA') throw azureNeedsRsa();
    const fields = { ...asFields(others), ...keySpec?._fields, key_type: 'RSA-HSM' };
    return new ManagedKeyBackend(
      ManagedKeyType.AZURE_KEY_VAULT,
      fields,
      { client_secret: clientSecret },
      lateProps('AzureKeyVaultKeyProps', props),
      secretsVersion,
    );
  }

  /** Google Cloud KMS. */
  public static gcpCkms(props: GcpCkmsKeyProps): ManagedKeyBackend {
    checkObject(code('ManagedKeyBackend.gcpCkms'), 'GcpCkmsKeyProps', props, {});
    const { credentials, secretsVersion, ...fields } = props;
    return new ManagedKeyBackend(
      ManagedKeyType.GCP_CKMS,
      asFields(fields),
      { credentials },
      lateProps('GcpCkmsKeyProps', props),
      secretsVersion,
    );
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  private constructor(
    /** @internal */
    public readonly _type: ManagedKeyType,
    fields: FieldValues,
    secrets: Readonly<Record<string, string | undefined>>,
    late: readonly LateProp[],
    secretsVersion: number = 1,
  ) {
    brand(this, 'ManagedKeyBackend');
    const { definition } = MANAGED_KEY_BACKENDS[_type];
    this._settings = { definition, fields, secrets, late, secretsVersion };
  }
}
