import type { Decoded, FieldSchemas, FieldData } from '../../core/input/field-schemas';
import type { JsonObject } from '../../core/primitives/json';
import { KeyStoreError } from './errors';
import { type KeyMaterial, generateKey, readPrivateKey } from './key-material';
import type { Records, WithId } from './records';

/**
 * A collection of objects in a key store, which can be filled and listed. Secrets are never
 * returned.
 */
export interface Collection<F extends FieldSchemas = FieldSchemas, Shown extends object = object> {
  /** The fields of a new object. */
  readonly fields: F;
  /**
   * Adds an object, or replaces the object with the same identity.
   *
   * @throws KeyStoreError if a field is missing or not valid.
   */
  add(given: Given<F>): Promise<Shown>;
  list(): readonly Shown[];
  /** @returns whether the object existed. */
  remove(id: string): boolean;
}

/** The given fields of a new object. */
export type Given<F extends FieldSchemas> = Partial<Decoded<F>>;

/** Creates a collection of records. */
export function collection<F extends FieldSchemas, T extends JsonObject, Shown extends object>(
  records: Records<T>,
  fields: F,
  kind: {
    make(given: Given<F>): T | Promise<T>;
    /** Whether two records have the same identity. */
    same(one: T, other: T): boolean;
    show(record: WithId<T>): Shown;
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

/**
 * The fields of keys, which are generated from `key_type` and `key_bits` or `curve`, or given as
 * PEM.
 */
export const KEY_FIELDS = {
  key_type: { type: 'string', description: 'RSA or ECDSA. Default: RSA, or ECDSA where a curve is given.' },
  key_bits: { type: 'integer', description: 'Size of a new RSA key. Default: 2048.' },
  curve: { type: 'string', description: 'Curve of a new ECDSA key. Default: P256.' },
  private_key: { type: 'string', description: 'A private key in PEM, instead of a new one.' },
} as const satisfies FieldSchemas;

/** @throws KeyStoreError if the fields do not describe a valid key. */
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

/** @throws KeyStoreError if the field is missing. */
export function needed<T extends object, K extends keyof T & string>(given: T, name: K): NonNullable<T[K]> {
  const value = given[name];
  if (value === undefined || value === null || value === '') throw new KeyStoreError(`${name}: missing`);
  return value;
}

/** @throws KeyStoreError if one of the fields is missing. */
export function allNeeded<F extends FieldSchemas>(fields: F, given: Given<F>): FieldData<F> {
  const names = Object.keys(fields) as (keyof F & string)[];
  return Object.fromEntries(names.map((name) => [name, needed(given, name)])) as FieldData<F>;
}
