import {
  type JsonWebKey,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** A text that is encrypted for the holder of a private key. All fields are in base64. */
interface Sealed {
  readonly ciphertext: string;
  readonly nonce: string;
  /** The public key of the key pair that was created for this text only. */
  readonly publicKey: string;
}

const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
const CIPHER = 'aes-256-gcm';
const KEY_TYPE = { kty: 'OKP', crv: 'X25519' };
const PURPOSE = 'performance replication activation';

/**
 * Creates a key pair of X25519. The private key is a JSON Web Key, which is parsed faster than PEM;
 * the public key is its 32 bytes in base64.
 */
export function newKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  // In both formats, the last 32 bytes are the key. Node.js 20 sometimes hangs if a newly generated
  // key is exported as a JSON Web Key.
  const { privateKey, publicKey } = generateKeyPairSync('x25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const [d, x] = [privateKey, publicKey].map((each) => each.subarray(-KEY_LENGTH));
  return {
    privateKey: JSON.stringify({ ...KEY_TYPE, d: d!.toString('base64url'), x: x!.toString('base64url') }),
    publicKey: x!.toString('base64'),
  };
}

/** Whether a text is a public key of this kind. */
export function isPublicKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text);
}

/**
 * Encrypts a text with a key that is agreed upon between a new key pair and the reader's public
 * key.
 */
export function seal(text: string, readersKey: string): Sealed {
  const { privateKey, publicKey } = newKeyPair();
  const nonce = randomBytes(NONCE_LENGTH);
  const encryption = createCipheriv(CIPHER, sharedKey(privateKey, readersKey), nonce);
  const body = Buffer.concat([encryption.update(text), encryption.final(), encryption.getAuthTag()]);
  return {
    ciphertext: body.toString('base64'),
    nonce: nonce.toString('base64'),
    publicKey,
  };
}

/** @throws Error if the text was encrypted for another key, or changed afterwards. */
export function unseal({ ciphertext, nonce, publicKey }: Sealed, privateKey: string): string {
  const key = sharedKey(privateKey, publicKey);
  const body = Buffer.from(ciphertext, 'base64');
  const decryption = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64'), {
    authTagLength: TAG_LENGTH,
  });
  decryption.setAuthTag(body.subarray(-TAG_LENGTH));
  return Buffer.concat([decryption.update(body.subarray(0, -TAG_LENGTH)), decryption.final()]).toString();
}

function sharedKey(ownKey: string, publicKey: string): Buffer {
  const privateKey = createPrivateKey({ key: JSON.parse(ownKey) as JsonWebKey, format: 'jwk' });
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const other = createPublicKey({ key: { ...KEY_TYPE, x }, format: 'jwk' });
  const secret = diffieHellman({ privateKey, publicKey: other });
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), PURPOSE, KEY_LENGTH));
}
