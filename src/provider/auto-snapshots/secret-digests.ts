import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PrivateState } from '../../plugin';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/** In the private state: a digest of every write-only secret as it was written last. */
const KEY = 'secrets';

interface Digest {
  readonly salt: string;
  readonly digest: string;
}
type Digests = Readonly<Record<string, Digest>>;

/**
 * Remembers what write-only secrets were, without storing them: by a salted digest that is slow to compute, so that the
 * next read can tell whether the server still holds them.
 */
export async function rememberSecrets(
  secrets: ReadonlyMap<string, string>,
  privateState: PrivateState,
): Promise<void> {
  const digests = [...secrets].map(async ([name, secret]) => {
    const salt = randomBytes(SALT_BYTES);
    return [
      name,
      { salt: salt.toString('base64'), digest: (await digestOf(secret, salt)).toString('base64') },
    ];
  });
  privateState.set(KEY, digests.length > 0 ? Object.fromEntries(await Promise.all(digests)) : undefined);
}

/** The names of the write-only secrets that are not what was written. */
export async function changedSecrets(
  held: Readonly<Record<string, unknown>>,
  privateState: PrivateState,
): Promise<readonly string[]> {
  const digests = (privateState.get(KEY) ?? {}) as Digests;
  const names = Object.entries(digests).map(async ([name, { salt, digest }]) => {
    const secret = held[name];
    const same =
      typeof secret === 'string' &&
      timingSafeEqual(await digestOf(secret, Buffer.from(salt, 'base64')), Buffer.from(digest, 'base64'));
    return same ? [] : [name];
  });
  return (await Promise.all(names)).flat();
}

function digestOf(secret: string, salt: Buffer): Promise<Buffer> {
  return derive(secret, salt, DIGEST_BYTES);
}
