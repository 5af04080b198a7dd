/** Sizes of RSA keys, in bits. */
export const RSA_KEY_BITS = [2048, 3072, 4096] as const;
/** Elliptic curves. */
export const KEY_CURVES = ['P256', 'P384', 'P521'] as const;
export type KeyCurve = (typeof KEY_CURVES)[number];

/** The hashes that a test signature can use. */
export const HASH_ALGORITHMS = [
  'sha1',
  'sha2-224',
  'sha2-256',
  'sha2-384',
  'sha2-512',
  'sha3-224',
  'sha3-256',
  'sha3-384',
  'sha3-512',
] as const;
export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number];

/**
 * The facts about a key that follow from the configuration of a managed key. Unknown facts are
 * absent.
 */
export interface KeySpec {
  readonly family: 'RSA' | 'ECDSA';
  /** The size of an RSA key. */
  readonly bits?: number;
  /** The curve of an ECDSA key. */
  readonly curve?: string;
  /** The hash and padding, if the key allows only one way of signing. */
  readonly signature?: { readonly hash: HashAlgorithm; readonly pss: boolean };
}
