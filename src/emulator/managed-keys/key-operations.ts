import { MANAGED_KEY_BACKENDS, type KeySpec } from '../../model';
import {
  type KeyMaterial,
  type KeyPlace,
  type KeyStores,
  KeyStoreError,
  generateKey,
  readPrivateKey,
} from './key-stores';
import { KeyTests } from './key-tests';
import type { ManagedKeyEntry } from './store';

/**
 * The operations of a server on the keys behind managed keys. Each needs the permission of the
 * managed key.
 */
export class KeyOperations {
  /** Keys that are being generated, by place. Other operations on the same key wait for them. */
  readonly #pending = new Map<string, Promise<KeyMaterial>>();

  readonly tests = new KeyTests();

  constructor(readonly stores: KeyStores) {}

  /**
   * Returns the key for use. A missing key is generated if the managed key allows that.
   *
   * @throws KeyStoreError if the backend refuses, there is no key, or it does not match the managed
   *   key.
   */
  async use(entry: ManagedKeyEntry): Promise<KeyMaterial> {
    const place = this.#place(entry);
    const key = place.find() ?? (await this.#generateAt(entry, place));
    const difference = differenceFrom(key, specOf(entry));
    if (difference !== undefined) throw new KeyStoreError(`${difference}: ${place.title}`);
    return key;
  }

  /**
   * Generates the key, and replaces an existing one.
   *
   * @throws KeyStoreError if the backend refuses, or the managed key does not allow it.
   */
  async generate(entry: ManagedKeyEntry): Promise<void> {
    const place = this.#place(entry);
    checkReplacing(entry, place);
    await this.#generateAt(entry, place);
  }

  /**
   * Stores a given private key in the backend, and replaces an existing one.
   *
   * @param pem the private key.
   * @throws KeyStoreError if the backend refuses, or the managed key does not allow it.
   */
  store(entry: ManagedKeyEntry, pem: string): void {
    const place = this.#place(entry);
    if (entry.fields.allow_store_key !== true) {
      throw new KeyStoreError(`allow_store_key is false: no key may be stored as ${place.title}`);
    }
    checkReplacing(entry, place);
    place.put(readPrivateKey(pem));
  }

  #place({ type, fields }: ManagedKeyEntry): KeyPlace {
    return this.stores[type].place(fields);
  }

  #generateAt(entry: ManagedKeyEntry, place: KeyPlace): Promise<KeyMaterial> {
    if (entry.fields.allow_generate_key !== true) {
      throw new KeyStoreError(`there is no key ${place.title}, and allow_generate_key is false`);
    }
    const id = `${entry.type} ${place.title}`;
    const running =
      this.#pending.get(id) ?? generateInto(place, specOf(entry)).finally(() => this.#pending.delete(id));
    this.#pending.set(id, running);
    return running;
  }
}

async function generateInto(place: KeyPlace, spec: KeySpec | undefined): Promise<KeyMaterial> {
  if (spec === undefined) throw new KeyStoreError('mechanism: keys cannot be generated for it');
  const key = await generateKey(spec);
  place.put(key);
  return key;
}

function checkReplacing({ fields }: ManagedKeyEntry, place: KeyPlace): void {
  if (place.find() !== undefined && fields.allow_replace_key !== true) {
    throw new KeyStoreError(`allow_replace_key is false, and there is a key ${place.title}`);
  }
}

function specOf({ type, fields }: ManagedKeyEntry): KeySpec | undefined {
  return MANAGED_KEY_BACKENDS[type].keySpec(fields);
}

/** Returns the differences between a key and its managed key. */
function differenceFrom(key: KeyMaterial, spec: KeySpec | undefined): string | undefined {
  if (spec === undefined) return undefined;
  if (spec.family !== key.key_type) return `the key is an ${key.key_type} key, not ${spec.family}`;
  if (spec.bits !== undefined && spec.bits !== key.key_bits) {
    return `the key has ${key.key_bits} bits, not ${spec.bits}`;
  }
  if (spec.curve !== undefined && spec.curve !== key.curve) {
    return `the key is on the curve ${key.curve}, not ${spec.curve}`;
  }
  return undefined;
}
