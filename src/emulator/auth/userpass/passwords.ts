import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const SALT_LENGTH = 16;
const HASH_LENGTH = 32;

/** A salted hash of a password, as text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_LENGTH);
  return Buffer.concat([salt, await derive(password, salt, HASH_LENGTH)]).toString('base64');
}

/** Whether `hash` was made of `password`. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const bytes = Buffer.from(hash, 'base64');
  const salt = bytes.subarray(0, SALT_LENGTH);
  return timingSafeEqual(bytes.subarray(SALT_LENGTH), await derive(password, salt, HASH_LENGTH));
}
