import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { HashAlgorithm, KeySpec } from '../../../model';
import { own } from '../../../text';
import type { JsonObject } from '../../core/primitives/json';
import { KeyStoreError } from './errors';

/** A stored key pair: its size or curve, and the private key as PKCS#8 in PEM. */
export interface KeyMaterial extends JsonObject {
  readonly key_type: 'RSA' | 'ECDSA';
  /** The size in bits; 0 for ECDSA keys. */
  readonly key_bits: number;
  /** The curve; empty for RSA keys. */
  readonly curve: string;
  readonly private_key: string;
}

/** The public part of a key pair. */
interface ShownMaterial extends JsonObject {
  readonly key_type: 'RSA' | 'ECDSA';
  readonly key_bits: number;
  readonly curve: string;
  /** The public key in PEM. */
  readonly public_key: string;
}

const makeKeyPair = promisify(generateKeyPair);

/** OpenSSL's names of the curves. */
const OPENSSL_CURVES: Readonly<Record<string, string>> = {
  P256: 'prime256v1',
  P384: 'secp384r1',
  P521: 'secp521r1',
};

/** @throws KeyStoreError if the size or the curve is missing or not supported. */
export async function generateKey({ family, bits, curve }: KeySpec): Promise<KeyMaterial> {
  if (family === 'RSA') {
    if (bits === undefined || bits < 2048 || bits > 4096 || bits % 1024 !== 0) {
      throw new KeyStoreError(
        `key_bits: ${bits} is not a valid RSA key size; allowed are 2048, 3072 and 4096`,
      );
    }
    return material((await makeKeyPair('rsa', { modulusLength: bits })).privateKey);
  }
  return material((await makeKeyPair('ec', { namedCurve: opensslCurve(curve) })).privateKey);
}

/** @throws KeyStoreError if the text is not a private key, or its kind is not supported. */
export function readPrivateKey(pem: string): KeyMaterial {
  try {
    return material(createPrivateKey(pem));
  } catch (error) {
    if (error instanceof KeyStoreError) throw error;
    throw new KeyStoreError('private_key: is not a private key in PEM');
  }
}

/** Returns Node's name of a hash: `sha256` for `sha2-256`. */
function nodeHash(hash: HashAlgorithm): string {
  return hash.replace('sha2-', 'sha');
}

/**
 * Signs random data with a key and checks the signature with the public key.
 *
 * @throws KeyStoreError if the key cannot create such a signature.
 */
export function signAndVerify(key: KeyMaterial, hash: HashAlgorithm, pss: boolean): void {
  const data = randomBytes(64);
  const padding = pss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  const privateKey = createPrivateKey(key.private_key);
  const signature = sign(nodeHash(hash), data, { key: privateKey, ...padding });
  const publicKey = createPublicKey(privateKey);
  if (!verify(nodeHash(hash), data, { key: publicKey, ...padding }, signature)) {
    throw new KeyStoreError('the signature does not match the public key');
  }
}

export function showMaterial({ key_type, key_bits, curve, private_key }: KeyMaterial): ShownMaterial {
  const public_key = createPublicKey(private_key).export({ type: 'spki', format: 'pem' }).toString();
  return { key_type, key_bits, curve, public_key };
}

function material(key: KeyObject): KeyMaterial {
  const { modulusLength: bits, namedCurve } = key.asymmetricKeyDetails ?? {};
  const private_key = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  if (key.asymmetricKeyType === 'rsa' && bits !== undefined) {
    return { key_type: 'RSA', key_bits: bits, curve: '', private_key };
  }
  const curve = Object.entries(OPENSSL_CURVES).find(([, name]) => name === namedCurve)?.[0];
  if (curve === undefined) {
    throw new KeyStoreError('private_key: must be an RSA key, or an ECDSA key on P256, P384 or P521');
  }
  return { key_type: 'ECDSA', key_bits: 0, curve, private_key };
}

function opensslCurve(curve: string | undefined): string {
  const name = curve === undefined ? undefined : own(OPENSSL_CURVES, curve);
  if (name === undefined) {
    throw new KeyStoreError(`curve: ${curve} is not a valid ECDSA curve; allowed are P256, P384 and P521`);
  }
  return name;
}
