import type { FieldValues } from '../../../model';
import { isAwsAlias } from '../../../model';
import type { FieldSchemas } from '../../core/fields';
import { uuid } from '../../core/identifiers';
import type { JsonObject } from '../../core/json';
import type { Storage } from '../../core/storage';
import { type Collection, givenKey, keyFields, needed } from './collection';
import { KeyStoreError } from './error';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyBackend, type KeyPlace, textOf } from './key-place';
import { Records, type Stored } from './records';

const credentialFields = {
  access_key: { type: 'string', description: 'Access key.' },
  secret_key: { type: 'string', description: 'Secret key.' },
} as const satisfies FieldSchemas;

const newKeyFields = {
  region: { type: 'string', description: 'Region of the key. Default: us-east-1.' },
  alias: { type: 'string', description: 'Alias of the key: alias/signing.' },
  key_id: { type: 'string', description: 'Id of the key. Default: a new one.' },
  key_usage: { type: 'string', description: 'SIGN_VERIFY, or what else AWS has. Default: SIGN_VERIFY.' },
  ...keyFields,
} as const satisfies FieldSchemas;

interface Credentials extends JsonObject {
  readonly access_key: string;
  readonly secret_key: string;
}

interface AwsKey extends KeyMaterial {
  readonly region: string;
  /** Empty where it has none. */
  readonly alias: string;
  readonly key_id: string;
  readonly key_usage: string;
}

const defaultRegion = 'us-east-1';
const account = '000000000000';
const signVerify = 'SIGN_VERIFY';

/** AWS KMS without AWS. Any credentials will do until some are filled in. */
export class AwsKms implements KeyBackend {
  private readonly credentialRecords: Records<Credentials>;
  private readonly keyRecords: Records<AwsKey>;

  constructor(storage: Storage) {
    this.credentialRecords = new Records(storage.view('credentials/'));
    this.keyRecords = new Records(storage.view('keys/'));
  }

  readonly credentials: Collection<typeof credentialFields, { id: string; access_key: string }> = {
    fields: credentialFields,
    add: async (given) => {
      const access_key = needed(given, 'access_key');
      const { id } = this.credentialRecords.find((known) => known.access_key === access_key) ?? {};
      return showCredentials(
        this.credentialRecords.put({ access_key, secret_key: needed(given, 'secret_key') }, id),
      );
    },
    list: () => this.credentialRecords.all().map(showCredentials),
    remove: (id) => this.credentialRecords.remove(id),
  };

  readonly keys: Collection<typeof newKeyFields, ReturnType<typeof showKey>> = {
    fields: newKeyFields,
    add: async (given) => {
      const { region = defaultRegion, alias = '', key_id = uuid(), key_usage = signVerify } = given;
      const material = await givenKey(given);
      return showKey(this.keyRecords.put({ ...material, region, alias, key_id, key_usage }));
    },
    list: () => this.keyRecords.all().map(showKey),
    remove: (id) => this.keyRecords.remove(id),
  };

  place(fields: FieldValues): KeyPlace {
    this.checkCredentials(fields);
    const region = textOf(fields, 'region', defaultRegion);
    // Of an ARN, what comes after the account says which key it is.
    const name = textOf(fields, 'kms_key')
      .replace(/^arn:.*:/, '')
      .replace(/^key\//, '');
    const find = () =>
      this.keyRecords.find((key) => key.region === region && (key.alias === name || key.key_id === name));
    return {
      title: `${name} in ${region}`,
      find: () => {
        const key = find();
        if (key !== undefined && key.key_usage !== signVerify) {
          throw new KeyStoreError(
            `kms_key: the key has the key usage ${key.key_usage}; allowed is ${signVerify} (InvalidKeyUsageException)`,
          );
        }
        return key;
      },
      put: (material) => {
        if (!isAwsAlias(name))
          throw new KeyStoreError(`kms_key: ${JSON.stringify(name)} is no alias for a new key`);
        const before = find();
        // AWS replaces no key: the alias goes to the new one.
        if (before !== undefined) this.keyRecords.put({ ...before, alias: '' }, before.id);
        this.keyRecords.put({ ...material, region, alias: name, key_id: uuid(), key_usage: signVerify });
      },
    };
  }

  private checkCredentials({ access_key, secret_key }: FieldValues): void {
    // Without them the server's own environment is asked, which works.
    if (!access_key && !secret_key) return;
    if (!access_key || !secret_key) {
      const missing = access_key ? 'secret_key' : 'access_key';
      throw new KeyStoreError(`${missing}: missing; static credentials are both access_key and secret_key`);
    }
    const known = this.credentialRecords.all();
    if (known.length === 0) return;
    const found = known.find((each) => each.access_key === access_key);
    if (found === undefined) {
      throw new KeyStoreError('access_key: AWS does not know it (UnrecognizedClientException)');
    }
    if (found.secret_key !== secret_key) {
      throw new KeyStoreError('secret_key: AWS refuses it (InvalidSignatureException)');
    }
  }
}

function showCredentials({ id, access_key }: Stored<Credentials>) {
  return { id, access_key };
}

function showKey({ id, region, alias, key_id, key_usage, ...key }: Stored<AwsKey>) {
  const arn = `arn:aws:kms:${region}:${account}:key/${key_id}`;
  return { id, region, alias, key_id, arn, key_usage, ...showMaterial(key) };
}
