import { createHmac, randomBytes } from 'node:crypto';

/** The unseal key of a cluster, and how it is split into shares. */
export interface SealKeys {
  /** The unseal key in base64. */
  readonly unsealKey: string;
  readonly shares: number;
  /** The number of shares that unseal. */
  readonly threshold: number;
}

/** Returns a new key, with itself as its only share. */
export function newSealKeys(): SealKeys {
  return { unsealKey: randomBytes(32).toString('base64'), shares: 1, threshold: 1 };
}

/**
 * Returns the shares of a key. The shares are derived from the key without Shamir's scheme, which
 * clients cannot notice. The only share of a key is the key itself.
 */
export function sharesOf({ unsealKey, shares }: SealKeys): readonly Buffer[] {
  const key = Buffer.from(unsealKey, 'base64');
  if (shares === 1) return [key];
  return Array.from({ length: shares }, (_, index) =>
    Buffer.concat([
      createHmac('sha256', key)
        .update(`share ${index + 1}`)
        .digest(),
      Buffer.of(index + 1),
    ]),
  );
}

/** Returns the index of a share, which is given in hex or base64; -1 for any other text. */
function shareIndex(keys: SealKeys, text: string): number {
  const given = [Buffer.from(text, 'hex'), Buffer.from(text, 'base64')];
  return sharesOf(keys).findIndex((share) => given.some((each) => each.equals(share)));
}

/** Shares of a key that are handed over one by one. */
export class GivenShares {
  readonly #given = new Set<string>();

  /** The number of different shares that were given; 0 again when all required ones were given. */
  get count(): number {
    return this.#given.size;
  }

  /**
   * Takes a share. When enough shares were given, they are checked and discarded.
   *
   * @returns whether all given shares belong to the key; `undefined` while more are required.
   */
  add(keys: SealKeys, text: string): boolean | undefined {
    this.#given.add(text);
    if (this.#given.size < keys.threshold) return undefined;
    const found = new Set([...this.#given].map((each) => shareIndex(keys, each)));
    this.#given.clear();
    return !found.has(-1) && found.size === keys.threshold;
  }
}
