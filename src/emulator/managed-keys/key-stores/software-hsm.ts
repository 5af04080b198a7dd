import { randomBytes } from 'node:crypto';
import type { FieldValues } from '../../../model';
import type { FieldSchemas, FieldData } from '../../core/input/field-schemas';
import type { Storage } from '../../core/primitives/storage';
import { type Given, collection, givenKey, KEY_FIELDS, needed } from './collection';
import { KeyStoreError } from './errors';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyPlace, textOf } from './key-place';
import { Records } from './records';

const TOKEN_FIELDS = {
  library: { type: 'string', description: 'Name of the kms_library through which it is reached.' },
  slot: { type: 'string', description: 'Number of the slot, in decimal.' },
  token_label: { type: 'string', description: 'Label of the token.' },
} as const satisfies FieldSchemas;

const NEW_TOKEN_FIELDS = {
  ...TOKEN_FIELDS,
  pin: { type: 'string', description: 'PIN for login. Without it any PIN will do.' },
} as const satisfies FieldSchemas;

const NEW_KEY_FIELDS = {
  ...TOKEN_FIELDS,
  key_label: { type: 'string', description: 'Label of the key.' },
  key_id: { type: 'string', description: 'Id of the key. Default: a new one.' },
  ...KEY_FIELDS,
} as const satisfies FieldSchemas;

type Token = FieldData<typeof NEW_TOKEN_FIELDS>;

interface HsmKey extends KeyMaterial {
  /** The id of the token's record. */
  readonly token: string;
  readonly key_label: string;
  readonly key_id: string;
}

export type SoftwareHsm = ReturnType<typeof softwareHsm>;

/**
 * An emulated HSM with PKCS#11. Tokens that were never added exist as well: they are empty and
 * accept any PIN.
 */
export function softwareHsm(storage: Storage) {
  const knownTokens = new Records<Token>(storage.view('tokens/'));
  const knownKeys = new Records<HsmKey>(storage.view('keys/'));
  const findToken = (wanted: Given<typeof TOKEN_FIELDS>) =>
    knownTokens.find((token) => isToken(token, wanted));

  const tokens = collection(knownTokens, NEW_TOKEN_FIELDS, {
    make: newToken,
    same: (one, other) => isToken(one, other),
    show: ({ id, library, slot, token_label }) => ({ id, library, slot, token_label }),
  });

  return {
    tokens: {
      ...tokens,
      /** The keys of a token are removed with it. */
      remove: (id: string) => {
        for (const key of knownKeys.all()) if (key.token === id) knownKeys.remove(key.id);
        return tokens.remove(id);
      },
    },

    keys: collection(knownKeys, NEW_KEY_FIELDS, {
      make: async (given) => {
        const { key_id = newKeyId() } = given;
        const key_label = needed(given, 'key_label');
        const key = await givenKey(given);
        const { id: token } = findToken(given) ?? knownTokens.put(newToken(given));
        return { ...key, token, key_label, key_id };
      },
      same: (one, other) => one.token === other.token && one.key_label === other.key_label,
      show: ({ id, token, key_label, key_id, ...key }) => {
        const { library = '', slot = '', token_label = '' } = knownTokens.get(token) ?? {};
        return { id, library, slot, token_label, key_label, key_id, ...showMaterial(key) };
      },
    }),

    place: (fields: FieldValues): KeyPlace => {
      const wanted = {
        library: textOf(fields, 'library'),
        slot: textOf(fields, 'slot'),
        token_label: textOf(fields, 'token_label'),
      };
      const where =
        wanted.slot === '' ? `token ${JSON.stringify(wanted.token_label)}` : `slot ${wanted.slot}`;
      const { pin = '' } = findToken(wanted) ?? {};
      if (pin !== '' && pin !== fields.pin) {
        throw new KeyStoreError(`pin: refused by ${where} (CKR_PIN_INCORRECT)`);
      }
      const key_label = textOf(fields, 'key_label');
      const key_id = textOf(fields, 'key_id');
      const find = () => {
        const token = findToken(wanted);
        return knownKeys.find(
          (key) =>
            key.token === token?.id &&
            (key_label === '' || key.key_label === key_label) &&
            (key_id === '' || sameId(key.key_id, key_id)),
        );
      };
      return {
        title: `${JSON.stringify(key_label || key_id)} in ${where} of ${wanted.library}`,
        find: () => {
          const key = find();
          // The HSM assigns ids, so a key with the given id cannot be generated.
          if (key === undefined && key_id !== '') {
            throw new KeyStoreError(`key_id: there is no key ${JSON.stringify(key_id)} in ${where}`);
          }
          return key;
        },
        put: (material) => {
          const before = find();
          const { id: token } = findToken(wanted) ?? knownTokens.put(newToken(wanted));
          const names = { key_label: before?.key_label ?? key_label, key_id: before?.key_id ?? newKeyId() };
          knownKeys.put({ ...material, token, ...names }, before?.id);
        },
      };
    },
  };
}

function newToken(given: Given<typeof NEW_TOKEN_FIELDS>): Token {
  const { slot = '', token_label = '', pin = '' } = given;
  if (slot === '') needed(given, 'token_label');
  return { library: needed(given, 'library'), slot, token_label, pin };
}

/** Whether a token has the requested slot or label. */
function isToken(token: Token, { library, slot, token_label }: Given<typeof TOKEN_FIELDS>): boolean {
  return token.library === library && (slot ? token.slot === slot : token.token_label === token_label);
}

function newKeyId(): string {
  return randomBytes(8).toString('hex');
}

/** Whether two ids are equal: bytes in hexadecimal, with or without a prefix. */
function sameId(one: string, other: string): boolean {
  const bytes = (id: string) => id.toLowerCase().replace(/^0x/, '');
  return bytes(one) === bytes(other);
}
