/*
 * Sentinel's strings are bytes, nearly always UTF-8. They are kept as JavaScript strings; a byte
 * that is not part of valid UTF-8 is kept as a lone surrogate, U+DC80 to U+DCFF, which never
 * results from valid UTF-8.
 */

const LONE_LOW = 0xdc00;
const ENCODER = new TextEncoder();
const STRICT_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the string of one byte. */
export function byteText(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(LONE_LOW + byte);
}

export function concatenate(a: string, b: string): string {
  const joined = a + b;
  // Bytes at the end of `a` and the start of `b` may form a character together.
  return startsWithByte(b) && endsWithByte(a) ? textOf(bytesOf(joined)) : joined;
}

export function byteLength(text: string): number {
  return isAscii(text) ? text.length : bytesOf(text).length;
}

/** Returns the bytes from one offset to another, or up to the end of a shorter text. */
export function sliceBytes(text: string, from: number, to: number): string {
  if (isAscii(text)) return text.slice(from, to);
  return textOf(bytesOf(text).subarray(from, to));
}

/** Returns a negative number, zero or a positive number, by bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (!hasSurrogate(a) && !hasSurrogate(b)) return a < b ? -1 : 1;
  return Buffer.compare(bytesOf(a), bytesOf(b));
}

export function bytesOf(text: string): Uint8Array {
  if (!LONE_SURROGATE.test(text)) return ENCODER.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= LONE_LOW + 0x80 && code <= LONE_LOW + 0xff) bytes.push(code - LONE_LOW);
    else bytes.push(...ENCODER.encode(character));
  }
  return Uint8Array.from(bytes);
}

export function textOf(bytes: Uint8Array): string {
  try {
    return STRICT_DECODER.decode(bytes);
  } catch {
    return textOfBrokenBytes(bytes);
  }
}

function textOfBrokenBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? byteText(bytes[at] ?? 0) : STRICT_DECODER.decode(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return text;
}

/** Returns the number of bytes of the character at an offset; 0 if none starts there. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  try {
    STRICT_DECODER.decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

const LONE_SURROGATE = /[\u{d800}-\u{dfff}]/u;
const SURROGATE = /[\ud800-\udfff]/;
// eslint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

function hasSurrogate(text: string): boolean {
  return SURROGATE.test(text);
}

function isAscii(text: string): boolean {
  return ASCII.test(text);
}

function isByte(code: number): boolean {
  return code >= LONE_LOW + 0x80 && code <= LONE_LOW + 0xff;
}

function startsWithByte(text: string): boolean {
  return isByte(text.charCodeAt(0));
}

function endsWithByte(text: string): boolean {
  if (!isByte(text.charCodeAt(text.length - 1))) return false;
  const before = text.charCodeAt(text.length - 2);
  return !(before >= 0xd800 && before <= 0xdbff);
}
