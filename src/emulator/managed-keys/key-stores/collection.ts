import type { Decoded, FieldSchemas } from '../../core/input/fields';
import type { JsonObject } from '../../core/primitives/json';
import { KeyStoreError } from './errors';
import { type KeyMaterial, generateKey, readPrivateKey } from './key-material';
import type { Records, Stored } from './records';

/** A collection of objects in a key store, which people can fill and inspect. Secrets are never returned. */
export interface Collection<F extends FieldSchemas = FieldSchemas, Shown extends object = object> {
  /** What `add` takes. */
  readonly fields: F;
  /**
   * Takes the place of what is there already.
   *
   * @throws KeyStoreError if something is missing or does not fit.
   */
  add(given: Given<F>): Promise<Shown>;
  list(): readonly Shown[];
  /** @returns whether it was there. */
  remove(id: string): boolean;
}

/** What people fill in: any of the fields. */
export type Given<F extends FieldSchemas> = Partial<Decoded<F>>;

/** A collection of records. */
export function collection<F extends FieldSchemas, T extends JsonObject, Shown extends object>(
  records: Records<T>,
  fields: F,
  kind: {
    make(given: Given<F>): T | Promise<T>;
    /** Whether one takes the other's place. */
    same(one: T, other: T): boolean;
    show(record: Stored<T>): Shown;
  },
): Collection<F, Shown> {
  return {
    fields,
    add: async (given) => {
      const record = await kind.make(given);
      const before = records.find((known) => kind.same(known, record));
      return kind.show(records.put(record, before?.id));
    },
    list: () => records.all().map((record) => kind.show(record)),
    remove: (id) => records.remove(id),
  };
}

/** Of keys: made new from `key_type` and `key_bits` or `curve`, or given as they are. */
export const KEY_FIELDS = {
  key_type: { type: 'string', description: 'RSA or ECDSA. Default: RSA, or ECDSA where a curve is given.' },
  key_bits: { type: 'integer', description: 'Size of a new RSA key. Default: 2048.' },
  curve: { type: 'string', description: 'Curve of a new ECDSA key. Default: P256.' },
  private_key: { type: 'string', description: 'A private key in PEM, instead of a new one.' },
} as const satisfies FieldSchemas;

/** @throws KeyStoreError if no such key can be made. */
export async function givenKey(given: Given<typeof KEY_FIELDS>): Promise<KeyMaterial> {
  const { key_type, key_bits, curve, private_key } = given;
  if (private_key !== undefined) return readPrivateKey(private_key);
  const family = (key_type ?? (curve === undefined ? 'RSA' : 'ECDSA')).toUpperCase();
  if (family !== 'RSA' && family !== 'ECDSA') {
    throw new KeyStoreError(`key_type: "${key_type}" is unknown; allowed are RSA and ECDSA`);
  }
  return generateKey(
    family === 'RSA' ? { family, bits: key_bits ?? 2048 } : { family, curve: curve ?? 'P256' },
  );
}

/** @throws KeyStoreError if a text is missing. */
export function needed<T extends object, K extends keyof T & string>(given: T, name: K): NonNullable<T[K]> {
  const value = given[name];
  if (value === undefined || value === null || value === '') throw new KeyStoreError(`${name}: missing`);
  return value;
}
