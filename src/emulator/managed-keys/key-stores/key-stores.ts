import type { ManagedKeyTypeName } from '../../../model';
import type { Storage } from '../../core/storage';
import { AwsKms } from './aws-kms';
import { AzureKeyVaults } from './azure-key-vaults';
import type { Collection } from './collection';
import { GcpKms } from './gcp-kms';
import { SoftwareHsm } from './software-hsm';

/**
 * The backends that keep keys: outside of the clusters, which share them. What they hold can be filled in and looked
 * at, through these collections or the control API.
 */
export class KeyStores {
  readonly pkcs11: SoftwareHsm;
  readonly awskms: AwsKms;
  readonly azurekeyvault: AzureKeyVaults;
  readonly gcpckms: GcpKms;

  constructor(private readonly storage: Storage) {
    this.pkcs11 = new SoftwareHsm(storage.view('pkcs11/'));
    this.awskms = new AwsKms(storage.view('awskms/'));
    this.azurekeyvault = new AzureKeyVaults(storage.view('azurekeyvault/'));
    this.gcpckms = new GcpKms(storage.view('gcpckms/'));
  }

  /** All collections, by backend and by their names in the control API. */
  collections(): Readonly<Record<ManagedKeyTypeName, Readonly<Record<string, Collection>>>> {
    const { pkcs11, awskms, azurekeyvault, gcpckms } = this;
    return {
      pkcs11: { tokens: pkcs11.tokens, keys: pkcs11.keys },
      awskms: { credentials: awskms.credentials, keys: awskms.keys },
      azurekeyvault: { credentials: azurekeyvault.credentials, keys: azurekeyvault.keys },
      gcpckms: { credentials: gcpckms.credentials, 'key-rings': gcpckms.keyRings, keys: gcpckms.keys },
    };
  }

  /** Empties all backends. */
  clear(): void {
    this.storage.clear('');
  }
}
