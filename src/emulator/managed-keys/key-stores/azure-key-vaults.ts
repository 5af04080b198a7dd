import type { FieldValues } from '../../../model';
import type { FieldSchemas } from '../../core/fields';
import type { JsonObject } from '../../core/json';
import type { Storage } from '../../core/storage';
import { type Collection, givenKey, keyFields, needed } from './collection';
import { KeyStoreError } from './error';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyBackend, type KeyPlace, textOf } from './key-place';
import { Records, type Stored } from './records';

const credentialFields = {
  tenant_id: { type: 'string', description: 'Tenant id of the organization.' },
  client_id: { type: 'string', description: 'Client id.' },
  client_secret: { type: 'string', description: 'Client secret.' },
} as const satisfies FieldSchemas;

const newKeyFields = {
  vault_name: { type: 'string', description: 'Name of the Key Vault.' },
  key_name: { type: 'string', description: 'Name of the key.' },
  ...keyFields,
} as const satisfies FieldSchemas;

interface Credentials extends JsonObject {
  readonly tenant_id: string;
  readonly client_id: string;
  readonly client_secret: string;
}

interface AzureKey extends KeyMaterial {
  readonly vault_name: string;
  readonly key_name: string;
}

/** The Key Vaults of Azure without Azure: all there are, and empty. Any credentials will do until some are filled in. */
export class AzureKeyVaults implements KeyBackend {
  private readonly credentialRecords: Records<Credentials>;
  private readonly keyRecords: Records<AzureKey>;

  constructor(storage: Storage) {
    this.credentialRecords = new Records(storage.view('credentials/'));
    this.keyRecords = new Records(storage.view('keys/'));
  }

  readonly credentials: Collection<typeof credentialFields, ReturnType<typeof showCredentials>> = {
    fields: credentialFields,
    add: async (given) => {
      const tenant_id = needed(given, 'tenant_id');
      const client_id = needed(given, 'client_id');
      const known = this.credentialRecords.find(
        (each) => each.tenant_id === tenant_id && each.client_id === client_id,
      );
      const client_secret = needed(given, 'client_secret');
      return showCredentials(this.credentialRecords.put({ tenant_id, client_id, client_secret }, known?.id));
    },
    list: () => this.credentialRecords.all().map(showCredentials),
    remove: (id) => this.credentialRecords.remove(id),
  };

  readonly keys: Collection<typeof newKeyFields, ReturnType<typeof showKey>> = {
    fields: newKeyFields,
    add: async (given) => {
      const vault_name = needed(given, 'vault_name');
      const key_name = needed(given, 'key_name');
      const material = await givenKey(given);
      return showKey(this.keyRecords.put({ ...material, vault_name, key_name }));
    },
    list: () => this.keyRecords.all().map(showKey),
    remove: (id) => this.keyRecords.remove(id),
  };

  place(fields: FieldValues): KeyPlace {
    this.checkCredentials(fields);
    const vault_name = textOf(fields, 'vault_name');
    const key_name = textOf(fields, 'key_name');
    const find = () =>
      this.keyRecords.find((key) => key.vault_name === vault_name && key.key_name === key_name);
    return {
      title: `${key_name} in the Key Vault ${vault_name}`,
      find,
      put: (material) => {
        this.keyRecords.put({ ...material, vault_name, key_name }, find()?.id);
      },
    };
  }

  private checkCredentials({ tenant_id, client_id, client_secret }: FieldValues): void {
    const known = this.credentialRecords.all();
    // Without a client the machine's own identity is used, which works.
    if (!client_id || known.length === 0) return;
    const found = known.find((each) => each.tenant_id === tenant_id && each.client_id === client_id);
    if (found === undefined) {
      throw new KeyStoreError('client_id: the tenant does not know it (AADSTS700016)');
    }
    if (found.client_secret !== client_secret) {
      throw new KeyStoreError('client_secret: Azure refuses it (AADSTS7000215)');
    }
  }
}

function showCredentials({ id, tenant_id, client_id }: Stored<Credentials>) {
  return { id, tenant_id, client_id };
}

function showKey({ id, vault_name, key_name, ...key }: Stored<AzureKey>) {
  return { id, vault_name, key_name, ...showMaterial(key) };
}
