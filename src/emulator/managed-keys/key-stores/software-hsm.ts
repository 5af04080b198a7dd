import { randomBytes } from 'node:crypto';
import type { FieldValues } from '../../../model';
import type { Decoded, FieldSchemas } from '../../core/fields';
import type { JsonObject } from '../../core/json';
import type { Storage } from '../../core/storage';
import { type Collection, givenKey, keyFields, needed } from './collection';
import { KeyStoreError } from './error';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyBackend, type KeyPlace, textOf } from './key-place';
import { Records, type Stored } from './records';

const tokenFields = {
  library: { type: 'string', description: 'Name of the kms_library through which it is reached.' },
  slot: { type: 'string', description: 'Number of the slot, in decimal.' },
  token_label: { type: 'string', description: 'Label of the token.' },
} as const satisfies FieldSchemas;

const newTokenFields = {
  ...tokenFields,
  pin: { type: 'string', description: 'PIN for login. Without it any PIN will do.' },
} as const satisfies FieldSchemas;

const newKeyFields = {
  ...tokenFields,
  key_label: { type: 'string', description: 'Label of the key.' },
  key_id: { type: 'string', description: 'Id of the key. Default: a new one.' },
  ...keyFields,
} as const satisfies FieldSchemas;

interface Token extends JsonObject {
  readonly library: string;
  /** Empty where the token is known by its label only, as the label may be. */
  readonly slot: string;
  readonly token_label: string;
  /** Empty where any will do. */
  readonly pin: string;
}

interface HsmKey extends KeyMaterial {
  /** The id of the token's record. */
  readonly token: string;
  readonly key_label: string;
  readonly key_id: string;
}

type ShownToken = Omit<Stored<Token>, 'pin'>;
type GivenToken = Partial<Decoded<typeof tokenFields>>;

/**
 * An HSM that is no hardware, reached through PKCS#11. Tokens that nobody has filled in are there as well: empty, and
 * with no PIN of their own.
 */
export class SoftwareHsm implements KeyBackend {
  private readonly tokenRecords: Records<Token>;
  private readonly keyRecords: Records<HsmKey>;

  constructor(storage: Storage) {
    this.tokenRecords = new Records(storage.view('tokens/'));
    this.keyRecords = new Records(storage.view('keys/'));
  }

  readonly tokens: Collection<typeof newTokenFields, ShownToken> = {
    fields: newTokenFields,
    add: async (given) => {
      const { id } = this.findToken(given) ?? {};
      return showToken(this.tokenRecords.put(newToken(given, given.pin), id));
    },
    list: () => this.tokenRecords.all().map(showToken),
    remove: (id) => {
      for (const key of this.keyRecords.all()) if (key.token === id) this.keyRecords.remove(key.id);
      return this.tokenRecords.remove(id);
    },
  };

  readonly keys: Collection<typeof newKeyFields, ReturnType<typeof this.showKey>> = {
    fields: newKeyFields,
    add: async (given) => {
      const key_label = needed(given, 'key_label');
      const key_id = given.key_id ?? newKeyId();
      const material = await givenKey(given);
      const token = this.findToken(given) ?? this.tokenRecords.put(newToken(given));
      return this.showKey(this.keyRecords.put({ ...material, token: token.id, key_label, key_id }));
    },
    list: () => this.keyRecords.all().map((key) => this.showKey(key)),
    remove: (id) => this.keyRecords.remove(id),
  };

  place(fields: FieldValues): KeyPlace {
    const wanted = {
      library: textOf(fields, 'library'),
      slot: textOf(fields, 'slot'),
      token_label: textOf(fields, 'token_label'),
    };
    const label = textOf(fields, 'key_label');
    const id = textOf(fields, 'key_id');
    const where = wanted.slot ? `slot ${wanted.slot}` : `token ${JSON.stringify(wanted.token_label)}`;
    const { pin = '' } = this.findToken(wanted) ?? {};
    if (pin !== '' && pin !== fields.pin) {
      throw new KeyStoreError(`pin: ${where} refuses it (CKR_PIN_INCORRECT)`);
    }
    const find = () => {
      const token = this.findToken(wanted);
      return this.keyRecords.find(
        (key) =>
          key.token === token?.id &&
          (label === '' || key.key_label === label) &&
          (id === '' || sameId(key.key_id, id)),
      );
    };
    return {
      title: `${JSON.stringify(label || id)} in ${where} of ${wanted.library}`,
      find: () => {
        const key = find();
        // Ids are made by the HSM, so that nothing but the key itself can be meant.
        if (key === undefined && id !== '')
          throw new KeyStoreError(`key_id: there is no key ${JSON.stringify(id)} in ${where}`);
        return key;
      },
      put: (material) => {
        const before = find();
        const token = this.findToken(wanted) ?? this.tokenRecords.put(newToken(wanted));
        const key = { token: token.id, key_label: label };
        this.keyRecords.put({ ...material, ...key, key_id: before?.key_id ?? newKeyId() }, before?.id);
      },
    };
  }

  private findToken({ library, slot, token_label }: GivenToken): Stored<Token> | undefined {
    return this.tokenRecords.find(
      (token) =>
        token.library === library && (slot ? token.slot === slot : token.token_label === token_label),
    );
  }

  private showKey({ id, token, key_label, key_id, ...key }: Stored<HsmKey>) {
    const {
      library = '',
      slot = '',
      token_label = '',
    } = this.tokenRecords.all().find((each) => each.id === token) ?? {};
    return { id, library, slot, token_label, key_label, key_id, ...showMaterial(key) };
  }
}

function newToken(given: GivenToken, pin = ''): Token {
  if (!given.slot) needed(given, 'token_label');
  return {
    library: needed(given, 'library'),
    slot: given.slot ?? '',
    token_label: given.token_label ?? '',
    pin,
  };
}

function showToken({ id, library, slot, token_label }: Stored<Token>): ShownToken {
  return { id, library, slot, token_label };
}

function newKeyId(): string {
  return randomBytes(8).toString('hex');
}

/** Ids are bytes, written in hexadecimal with or without a prefix. */
function sameId(one: string, other: string): boolean {
  const bytes = (id: string) => id.toLowerCase().replace(/^0x/, '');
  return bytes(one) === bytes(other);
}
