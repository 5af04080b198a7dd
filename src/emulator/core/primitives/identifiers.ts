import { createHash, randomBytes, randomUUID } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the last multiple of 62 in a byte. Larger values would make the first letters more
      // frequent.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

export const uuid: () => string = randomUUID;

/**
 * Returns an accessor of a token, or of an auth mount's user: 24 letters and digits, as in Vault.
 */
export function newAccessor(): string {
  return randomText(24);
}

/** Returns an accessor of a mount: `kv_5f3a1b2c`. */
export function newMountAccessor(type: string): string {
  return `${type}_${randomBytes(4).toString('hex')}`;
}

/** Returns the SHA-256 in hexadecimal. */
export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
