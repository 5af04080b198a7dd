/**
 * The parts of DER, the encoding of certificates (ITU-T X.690), that certificates need. This file
 * loads no module, so that programs start fast.
 */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
};
const LONG_FORM = 0x80;

/** Returns one value: its tag, the length of the content, the content. */
export function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...contents]);
}

function lengthBytes(length: number): readonly number[] {
  if (length < LONG_FORM) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [LONG_FORM | bytes.length, ...bytes];
}

export const sequence = (...contents: readonly Buffer[]) => tagged(TAG.sequence, ...contents);
export const setOf = (content: Buffer) => tagged(TAG.set, content);
export const octets = (content: Uint8Array) => tagged(TAG.octetString, content);
export const utf8 = (text: string) => tagged(TAG.utf8String, Buffer.from(text));
export const yes = () => tagged(TAG.boolean, Buffer.from([0xff]));

/**
 * Returns an integer.
 *
 * @param bytes of a positive number, without leading zeros and with the highest bit unset.
 */
export const integer = (bytes: Uint8Array) => tagged(TAG.integer, bytes);

/** Returns an object identifier, such as `2.5.4.3`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return tagged(TAG.oid, Buffer.from([first * 40 + second, ...others.flatMap(inBase128)]));
}

/** Returns a number in base 128. All bytes except the last have the highest bit set. */
function inBase128(number: number): readonly number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(0x80 | (rest % 128));
  }
  return bytes;
}

/** Returns a date up to 2049, which has two digits for the year. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tagged(TAG.utcTime, Buffer.from(`${digits}Z`));
}

export function bits(bytes: Buffer): Buffer {
  const NO_UNUSED_BITS = Buffer.from([0]);
  return tagged(TAG.bitString, NO_UNUSED_BITS, bytes);
}

/** Returns a list of flags, the first in the highest bit, without the zeros after the last. */
export function flagBits(flags: number): Buffer {
  const unused = 31 - Math.clz32(flags & -flags);
  return tagged(TAG.bitString, Buffer.from([unused, flags]));
}
