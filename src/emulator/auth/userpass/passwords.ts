import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>;
const saltLength = 16;
const hashLength = 32;

/** A salted hash of a password, as text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength);
  return Buffer.concat([salt, await derive(password, salt, hashLength)]).toString('base64');
}

/** Whether `hash` was made of `password`. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const bytes = Buffer.from(hash, 'base64');
  const salt = bytes.subarray(0, saltLength);
  return timingSafeEqual(bytes.subarray(saltLength), await derive(password, salt, hashLength));
}
