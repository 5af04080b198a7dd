import { randomBytes, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes beyond the last whole multiple of 62 would make the first letters likelier.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

export const uuid: () => string = randomUUID;

/** Of a token or an auth mount's user: 24 letters and digits, as the server makes them. */
export function newAccessor(): string {
  return randomText(24);
}

/** Of a mount: `kv_5f3a1b2c`. */
export function newMountAccessor(type: string): string {
  return `${type}_${randomBytes(4).toString('hex')}`;
}
