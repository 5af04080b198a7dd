import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PrivateState } from '../../plugin';
import { COST, type Cost } from './digest-cost';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;
/** The cost of digests of version 0.1, which do not contain their cost. */
const FIRST_COST: Cost = { N: 2 ** 14, r: 8, p: 1 };
const MOST_MEMORY = 256 * 1024 ** 2;

/**
 * The key of the digests in the private state: one for each write-only secret, as it was last
 * written.
 */
const KEY = 'secrets';

interface Digest {
  readonly salt: string;
  readonly digest: string;
  readonly cost?: Cost;
}
type Digests = Readonly<Record<string, Digest>>;

/**
 * Stores salted digests of write-only secrets in place of the secrets. The digests are slow to
 * compute, and show at the next read whether the server still holds the secrets.
 *
 * @param left the secrets that this write does not contain: their digests stay.
 */
export async function rememberSecrets(
  secrets: ReadonlyMap<string, string>,
  privateState: PrivateState,
  left: readonly string[] = [],
): Promise<void> {
  const known = Object.entries((privateState.get(KEY) ?? {}) as Digests);
  const kept = known.filter(([name]) => left.includes(name));
  const made = [...secrets].map(async ([name, secret]) => [name, await digestOf(secret)] as const);
  const digests = [...kept, ...(await Promise.all(made))];
  privateState.set(KEY, digests.length > 0 ? Object.fromEntries(digests) : undefined);
}

/**
 * Returns the names of the write-only secrets whose values on the server differ from the written
 * values. Digests of a lower cost are replaced.
 */
export async function changedSecrets(
  stored: Readonly<Record<string, unknown>>,
  privateState: PrivateState,
): Promise<readonly string[]> {
  const known = Object.entries((privateState.get(KEY) ?? {}) as Digests);
  const checks = known.map(async ([name, digest]) => {
    const secret = stored[name];
    if (typeof secret !== 'string' || !(await isOf(secret, digest))) return { name, digest, changed: true };
    return { name, digest: digest.cost?.N === COST.N ? digest : await digestOf(secret), changed: false };
  });
  const checked = await Promise.all(checks);
  if (known.length > 0) {
    privateState.set(KEY, Object.fromEntries(checked.map(({ name, digest }) => [name, digest])));
  }
  return checked.flatMap(({ name, changed }) => (changed ? [name] : []));
}

async function digestOf(secret: string): Promise<Digest> {
  const salt = randomBytes(SALT_BYTES);
  const digest = await derive(secret, salt, DIGEST_BYTES, { ...COST, maxmem: MOST_MEMORY });
  return { salt: salt.toString('base64'), digest: digest.toString('base64'), cost: COST };
}

async function isOf(secret: string, { salt, digest, cost = FIRST_COST }: Digest): Promise<boolean> {
  const options = { ...cost, maxmem: MOST_MEMORY };
  const expected = Buffer.from(digest, 'base64');
  return timingSafeEqual(
    await derive(secret, Buffer.from(salt, 'base64'), expected.length, options),
    expected,
  );
}
