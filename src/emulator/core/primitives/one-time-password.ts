import { createHmac, timingSafeEqual } from 'node:crypto';

/** The settings of a passcode, besides the key and the time. */
interface PasscodeSettings {
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits: number;
  /** The number of seconds for which a passcode is valid. */
  readonly period: number;
}

/**
 * Returns the time-based one-time password of RFC 6238.
 *
 * @param now milliseconds since 1970.
 */
export function passcodeAt(
  key: Buffer,
  now: number,
  { algorithm, digits, period }: PasscodeSettings,
): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 1000 / period)));
  const hash = createHmac(algorithm, key).update(counter).digest();
  // RFC 4226: the last four bits of the hash are the offset of the number in it.
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * Whether a passcode is that of the current period, or of one of the `skew` periods before and
 * after.
 */
export function isPasscodeAt(
  passcode: string,
  key: Buffer,
  now: number,
  settings: PasscodeSettings & { readonly skew: number },
): boolean {
  const given = Buffer.from(passcode);
  for (let shift = -settings.skew; shift <= settings.skew; shift += 1) {
    const expected = Buffer.from(passcodeAt(key, now + shift * settings.period * 1000, settings));
    if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
  }
  return false;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes a key for authenticator apps: RFC 4648, without padding. */
export function base32(key: Buffer): string {
  const bits = [...key].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '')
    .join('');
}
