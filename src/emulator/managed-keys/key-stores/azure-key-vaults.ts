import type { FieldValues } from '../../../model';
import type { FieldSchemas, FieldData } from '../../core/input/field-schemas';
import type { Storage } from '../../core/primitives/storage';
import { allNeeded, collection, givenKey, KEY_FIELDS } from './collection';
import { KeyStoreError } from './errors';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyPlace, textOf } from './key-place';
import { Records } from './records';

const CREDENTIAL_FIELDS = {
  tenant_id: { type: 'string', description: 'Tenant id of the organization.' },
  client_id: { type: 'string', description: 'Client id.' },
  client_secret: { type: 'string', description: 'Client secret.' },
} as const satisfies FieldSchemas;

const PLACE_FIELDS = {
  vault_name: { type: 'string', description: 'Name of the Key Vault.' },
  key_name: { type: 'string', description: 'Name of the key.' },
} as const satisfies FieldSchemas;

const NEW_KEY_FIELDS = { ...PLACE_FIELDS, ...KEY_FIELDS } as const;

type Credentials = FieldData<typeof CREDENTIAL_FIELDS>;

type AzureKeyName = FieldData<typeof PLACE_FIELDS>;

type AzureKey = KeyMaterial & AzureKeyName;

export type AzureKeyVaults = ReturnType<typeof azureKeyVaults>;

/**
 * The emulated Azure Key Vaults. Every vault exists and is empty at first. Any credentials are
 * accepted until some are added.
 */
export function azureKeyVaults(storage: Storage) {
  const knownCredentials = new Records<Credentials>(storage.view('credentials/'));
  const knownKeys = new Records<AzureKey>(storage.view('keys/'));

  return {
    credentials: collection(knownCredentials, CREDENTIAL_FIELDS, {
      make: (given) => allNeeded(CREDENTIAL_FIELDS, given),
      same: (one, other) => one.tenant_id === other.tenant_id && one.client_id === other.client_id,
      show: ({ id, tenant_id, client_id }) => ({ id, tenant_id, client_id }),
    }),

    keys: collection(knownKeys, NEW_KEY_FIELDS, {
      make: async (given) => {
        const place = allNeeded(PLACE_FIELDS, given);
        return { ...(await givenKey(given)), ...place };
      },
      same: (one, other) => samePlace(one, other),
      show: ({ id, vault_name, key_name, ...key }) => ({ id, vault_name, key_name, ...showMaterial(key) }),
    }),

    place: (fields: FieldValues): KeyPlace => {
      checkCredentials(knownCredentials, fields);
      const place = { vault_name: textOf(fields, 'vault_name'), key_name: textOf(fields, 'key_name') };
      const find = () => knownKeys.find((key) => samePlace(key, place));
      return {
        title: `${place.key_name} in the Key Vault ${place.vault_name}`,
        find,
        put: (material) => {
          knownKeys.put({ ...material, ...place }, find()?.id);
        },
      };
    },
  };
}

function samePlace(one: AzureKeyName, other: AzureKeyName): boolean {
  return one.vault_name === other.vault_name && one.key_name === other.key_name;
}

function checkCredentials(known: Records<Credentials>, fields: FieldValues): void {
  const { tenant_id, client_id, client_secret } = fields;
  const all = known.all();
  // Without a client, the machine's own identity is used; the emulator accepts it.
  if (!client_id || all.length === 0) return;
  const found = all.find((each) => each.tenant_id === tenant_id && each.client_id === client_id);
  if (found === undefined) {
    throw new KeyStoreError('client_id: unknown to the tenant (AADSTS700016)');
  }
  if (found.client_secret !== client_secret) {
    throw new KeyStoreError('client_secret: refused by Azure (AADSTS7000215)');
  }
}
