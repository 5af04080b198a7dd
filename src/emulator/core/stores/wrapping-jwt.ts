import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import type { Storage } from '../primitives/storage';

const STORAGE_KEY = 'core/wrapping/jwtkey';
const HEADER = encode({ alg: 'ES512', typ: 'JWT' });

/**
 * Wrapping tokens in the form of JWTs, which contain the wrapping token as `jti` and are signed
 * with a key of the cluster. Uses node:crypto, because JWT libraries sign asynchronously, and a
 * cluster handles requests synchronously.
 */
export class WrappingJwt {
  #key: KeyObject | undefined;

  readonly #storage: Storage;
  readonly #address: () => string;

  constructor(storage: Storage, address: () => string) {
    this.#storage = storage;
    this.#address = address;
  }

  issue(tokenId: string, issuedAtSeconds: number, ttlSeconds: number, wrappedAccessor = ''): string {
    const claims = {
      accessor: wrappedAccessor,
      addr: this.#address(),
      exp: issuedAtSeconds + ttlSeconds,
      iat: issuedAtSeconds,
      jti: tokenId,
      nbf: issuedAtSeconds - 5,
      type: 'wrapping',
    };
    const text = `${HEADER}.${encode(claims)}`;
    const signature = sign('sha512', Buffer.from(text), {
      key: this.#signingKey(),
      dsaEncoding: 'ieee-p1363',
    });
    return `${text}.${signature.toString('base64url')}`;
  }

  /** Returns the wrapping token in a JWT of this cluster; `undefined` for any other text. */
  tokenId(jwt: string): string | undefined {
    const [head, body, signature, ...more] = jwt.split('.');
    if (head !== HEADER || body === undefined || signature === undefined || more.length > 0) return undefined;
    const key = { key: createPublicKey(this.#signingKey()), dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha512', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')))
      return undefined;
    // The signature shows that the cluster created the claims, so their types are known.
    return (JSON.parse(Buffer.from(body, 'base64url').toString()) as { jti: string }).jti;
  }

  #signingKey(): KeyObject {
    if (this.#key !== undefined) return this.#key;
    const stored = this.#storage.get<string>(STORAGE_KEY);
    this.#key =
      stored === undefined
        ? generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey
        : createPrivateKey(stored);
    if (stored === undefined)
      this.#storage.put(STORAGE_KEY, this.#key.export({ type: 'pkcs8', format: 'pem' }).toString());
    return this.#key;
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
