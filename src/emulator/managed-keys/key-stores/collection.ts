import type { Decoded, FieldSchemas } from '../../core/fields';
import type { JsonObject } from '../../core/json';
import { KeyStoreError } from './error';
import { type KeyMaterial, type ShownMaterial, generateKey, readPrivateKey } from './key-material';

/** Things of one kind in a key store, for people to fill in and to look into. Secrets go in and never come out. */
export interface Collection<F extends FieldSchemas = FieldSchemas, Shown extends object = object> {
  /** What `add` takes. */
  readonly fields: F;
  /** @throws KeyStoreError where something is missing or does not fit. */
  add(given: Partial<Decoded<F>>): Promise<Shown>;
  list(): readonly Shown[];
  /** @returns whether it was there. */
  remove(id: string): boolean;
}

/** Of keys: made new from `key_type` and `key_bits` or `curve`, or given as they are. */
export const keyFields = {
  key_type: { type: 'string', description: 'RSA or ECDSA. Default: RSA, or ECDSA where a curve is given.' },
  key_bits: { type: 'integer', description: 'Size of a new RSA key. Default: 2048.' },
  curve: { type: 'string', description: 'Curve of a new ECDSA key. Default: P256.' },
  private_key: { type: 'string', description: 'A private key in PEM, instead of a new one.' },
} as const satisfies FieldSchemas;

export type GivenKey = Partial<Decoded<typeof keyFields>>;

/** @throws KeyStoreError where no such key can be made. */
export async function givenKey({ key_type, key_bits, curve, private_key }: GivenKey): Promise<KeyMaterial> {
  if (private_key !== undefined) return readPrivateKey(private_key);
  const family = (key_type ?? (curve === undefined ? 'RSA' : 'ECDSA')).toUpperCase();
  if (family !== 'RSA' && family !== 'ECDSA') {
    throw new KeyStoreError(`key_type: "${key_type}" is unknown; allowed are RSA and ECDSA`);
  }
  return generateKey(
    family === 'RSA' ? { family, bits: key_bits ?? 2048 } : { family, curve: curve ?? 'P256' },
  );
}

/** What may be seen of a key: where it is, and its public half. */
export type ShownKey<Place extends JsonObject> = Place & ShownMaterial & { readonly id: string };

/** @throws KeyStoreError where a text is missing. */
export function needed<T extends object, K extends keyof T & string>(given: T, name: K): NonNullable<T[K]> {
  const value = given[name];
  if (value === undefined || value === null || value === '') throw new KeyStoreError(`${name}: missing`);
  return value;
}
