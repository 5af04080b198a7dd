import { isAwsAlias, type FieldValues } from '../../../model';
import type { FieldSchemas, FieldData } from '../../core/input/field-schemas';
import { uuid } from '../../core/primitives/identifiers';
import type { Storage } from '../../core/primitives/storage';
import { allNeeded, collection, givenKey, KEY_FIELDS } from './collection';
import { KeyStoreError } from './errors';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyPlace, textOf } from './key-place';
import { Records } from './records';

const CREDENTIAL_FIELDS = {
  access_key: { type: 'string', description: 'Access key.' },
  secret_key: { type: 'string', description: 'Secret key.' },
} as const satisfies FieldSchemas;

const NEW_KEY_FIELDS = {
  region: { type: 'string', description: 'Region of the key. Default: us-east-1.' },
  alias: { type: 'string', description: 'Alias of the key: alias/signing.' },
  key_id: { type: 'string', description: 'Id of the key. Default: a new one.' },
  key_usage: { type: 'string', description: 'SIGN_VERIFY, or what else AWS has. Default: SIGN_VERIFY.' },
  ...KEY_FIELDS,
} as const satisfies FieldSchemas;

interface AwsKey extends KeyMaterial {
  readonly region: string;
  /** The alias; empty if the key has none. */
  readonly alias: string;
  readonly key_id: string;
  readonly key_usage: string;
}

const DEFAULT_REGION = 'us-east-1';
const ACCOUNT = '000000000000';
const SIGN_VERIFY = 'SIGN_VERIFY';

export type AwsKms = ReturnType<typeof awsKms>;

/** An emulated AWS KMS. Any credentials are accepted until some are added. */
export function awsKms(storage: Storage) {
  const knownCredentials = new Records<FieldData<typeof CREDENTIAL_FIELDS>>(storage.view('credentials/'));
  const knownKeys = new Records<AwsKey>(storage.view('keys/'));

  return {
    credentials: collection(knownCredentials, CREDENTIAL_FIELDS, {
      make: (given) => allNeeded(CREDENTIAL_FIELDS, given),
      same: (one, other) => one.access_key === other.access_key,
      show: ({ id, access_key }) => ({ id, access_key }),
    }),

    keys: collection(knownKeys, NEW_KEY_FIELDS, {
      make: async (given) => {
        const { region = DEFAULT_REGION, alias = '', key_id = uuid(), key_usage = SIGN_VERIFY } = given;
        return { ...(await givenKey(given)), region, alias, key_id, key_usage };
      },
      same: (one, other) => one.region === other.region && one.alias !== '' && one.alias === other.alias,
      show: ({ id, region, alias, key_id, key_usage, ...key }) => {
        const arn = `arn:aws:kms:${region}:${ACCOUNT}:key/${key_id}`;
        return { id, region, alias, key_id, arn, key_usage, ...showMaterial(key) };
      },
    }),

    place: (fields: FieldValues): KeyPlace => {
      checkCredentials(knownCredentials, fields);
      const region = textOf(fields, 'region', DEFAULT_REGION);
      // The part of an ARN after the account identifies the key.
      const name = textOf(fields, 'kms_key')
        .replace(/^arn:.*:/, '')
        .replace(/^key\//, '');
      const find = () =>
        knownKeys.find((key) => key.region === region && (key.alias === name || key.key_id === name));
      return {
        title: `${name} in ${region}`,
        find: () => {
          const key = find();
          if (key !== undefined && key.key_usage !== SIGN_VERIFY) {
            throw new KeyStoreError(
              `kms_key: the key has the key usage ${key.key_usage}; allowed is ${SIGN_VERIFY} (InvalidKeyUsageException)`,
            );
          }
          return key;
        },
        put: (material) => {
          if (!isAwsAlias(name)) {
            throw new KeyStoreError(`kms_key: ${JSON.stringify(name)} is not a valid alias for a new key`);
          }
          const before = find();
          // AWS does not replace keys: the new key gets the alias of the old one.
          if (before !== undefined) knownKeys.put({ ...before, alias: '' }, before.id);
          knownKeys.put({ ...material, region, alias: name, key_id: uuid(), key_usage: SIGN_VERIFY });
        },
      };
    },
  };
}

function checkCredentials(
  known: Records<FieldData<typeof CREDENTIAL_FIELDS>>,
  { access_key, secret_key }: FieldValues,
): void {
  // Without credentials, those of the server's environment are used; the emulator accepts them.
  if (!access_key && !secret_key) return;
  if (!access_key || !secret_key) {
    const missing = access_key ? 'secret_key' : 'access_key';
    throw new KeyStoreError(`${missing}: missing; static credentials are both access_key and secret_key`);
  }
  const all = known.all();
  if (all.length === 0) return;
  const found = all.find((each) => each.access_key === access_key);
  if (found === undefined) {
    throw new KeyStoreError('access_key: unknown to AWS (UnrecognizedClientException)');
  }
  if (found.secret_key !== secret_key) {
    throw new KeyStoreError('secret_key: refused by AWS (InvalidSignatureException)');
  }
}
