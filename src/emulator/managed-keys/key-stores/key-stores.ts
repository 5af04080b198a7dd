import type { ManagedKeyTypeName } from '../../../model';
import type { Storage } from '../../core/primitives/storage';
import { awsKms, type AwsKms } from './aws-kms';
import { azureKeyVaults, type AzureKeyVaults } from './azure-key-vaults';
import type { Collection } from './collection';
import { gcpKms, type GcpKms } from './gcp-kms';
import { softwareHsm, type SoftwareHsm } from './software-hsm';

/**
 * The backends that hold keys. All clusters share them. They are filled and inspected with these
 * collections or the control API.
 */
export class KeyStores {
  readonly pkcs11: SoftwareHsm;
  readonly awskms: AwsKms;
  readonly azurekeyvault: AzureKeyVaults;
  readonly gcpckms: GcpKms;

  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.pkcs11 = softwareHsm(storage.view('pkcs11/'));
    this.awskms = awsKms(storage.view('awskms/'));
    this.azurekeyvault = azureKeyVaults(storage.view('azurekeyvault/'));
    this.gcpckms = gcpKms(storage.view('gcpckms/'));
  }

  /** Returns all collections, by backend and by their names in the control API. */
  collections(): Readonly<Record<ManagedKeyTypeName, Readonly<Record<string, Collection>>>> {
    const { pkcs11, awskms, azurekeyvault, gcpckms } = this;
    return {
      pkcs11: { tokens: pkcs11.tokens, keys: pkcs11.keys },
      awskms: { credentials: awskms.credentials, keys: awskms.keys },
      azurekeyvault: { credentials: azurekeyvault.credentials, keys: azurekeyvault.keys },
      gcpckms: { credentials: gcpckms.credentials, 'key-rings': gcpckms.keyRings, keys: gcpckms.keys },
    };
  }

  /** Removes the content of all backends. */
  clear(): void {
    this.#storage.clear('');
  }
}
