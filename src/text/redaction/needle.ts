import { inBytes } from './escapes';
import { GAPS, type Gaps } from './gaps';

/** How needles of one kind are compared with a text. */
interface Form {
  /**
   * The byte that stands for each byte in a comparison. If case makes no difference, small letters
   * stand for capital ones.
   */
  readonly alphabet: Uint8Array;
  readonly gaps: Gaps;
  /** Whether needles of this kind are too short to be found between other letters and digits. */
  readonly standsAlone: boolean;
}

/** A way to write a secret that is searched for. */
export interface Needle {
  readonly form: Form;
  /** The bytes that stand for the needle in the alphabet of the form. */
  readonly bytes: Buffer;
}

/**
 * The minimum length in bytes. Hiding shorter secrets would make texts unreadable, and they can be
 * guessed anyway.
 */
const SHORTEST = 3;
/**
 * The minimum length in bytes to ignore case and line breaks. Shorter secrets are words and
 * numbers, which then occur in other texts by accident.
 */
const SHORTEST_TOLERANT = 6;
/**
 * The minimum length in bytes to ignore white space. Shorter secrets then occur in texts by
 * accident.
 */
const SHORTEST_SPREAD = 12;
/**
 * The maximum length in characters. Longer secrets are keys and tokens, which nobody writes as a
 * list of numbers.
 */
const LONGEST_LISTED = 256;

/** Bytes for which other bytes stand in a comparison. */
interface Range {
  readonly from: number;
  readonly to: number;
  /**
   * The byte that stands for the first byte of the range; the following bytes are mapped in order.
   */
  readonly as: number;
}

/** Capital letters, also as the second bytes of Latin-1 letters: `Ä` is `c3 84`, `ä` is `c3 a4`. */
const CAPITALS: readonly Range[] = [
  { from: 0x41, to: 0x5a, as: 0x61 },
  { from: 0x80, to: 0x9e, as: 0xa0 },
];
/** Characters of base64 for URLs in place of `+` and `/`. */
const FOR_URLS: readonly Range[] = [
  { from: 0x2d, to: 0x2d, as: 0x2b },
  { from: 0x5f, to: 0x5f, as: 0x2f },
];

const AS_IT_IS = alphabet([]);
const EITHER_CASE = alphabet(CAPITALS);
/** The base64 for URLs is compared as plain base64. */
const OF_BASE64 = alphabet(FOR_URLS);

/** Maps two bytes to the same byte if any of the alphabets does. */
export const COMMON = alphabet([...CAPITALS, ...FOR_URLS]);

const EXACT: Form = { alphabet: AS_IT_IS, gaps: GAPS.NONE, standsAlone: false };
const WORD: Form = { alphabet: EITHER_CASE, gaps: GAPS.LINES, standsAlone: false };
const TEXT: Form = { alphabet: EITHER_CASE, gaps: GAPS.SPACES, standsAlone: false };
const BASE64: Form = { alphabet: OF_BASE64, gaps: GAPS.SPACES, standsAlone: false };
const NUMBERS: Form = { alphabet: EITHER_CASE, gaps: GAPS.SEPARATORS, standsAlone: false };
const SHORT: Form = { alphabet: AS_IT_IS, gaps: GAPS.NONE, standsAlone: true };

/** Loops fill the tables: a function for each byte would lengthen each start of the provider. */
function alphabet(ranges: readonly Range[]): Uint8Array {
  const bytes = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte += 1) bytes[byte] = byte;
  for (const { from, to, as } of ranges)
    for (let byte = from; byte <= to; byte += 1) bytes[byte] = as + byte - from;
  return bytes;
}

/** Whether a secret is too short to hide. */
export function isTooShortToHide(secret: string): boolean {
  return Buffer.byteLength(solid(secret)) < SHORTEST;
}

/** Returns all needles for a part of a secret. None if it is too short. */
export function needlesOf(part: string): readonly Needle[] {
  if (isTooShortToHide(part)) return [];
  const written = [...new Set([part, part.normalize('NFC'), part.normalize('NFD')])];
  return written.flatMap((text) =>
    Buffer.byteLength(solid(text)) < SHORTEST_TOLERANT ? shortNeedles(text) : tolerantNeedles(text),
  );
}

function shortNeedles(text: string): readonly Needle[] {
  const [base64, url, hex] = (['base64', 'base64url', 'hex'] as const).map((code) =>
    Buffer.from(text).toString(code),
  );
  const codes = [base64!, url!, base64!.replaceAll('=', ''), hex!, hex!.toUpperCase()];
  return [needle(EXACT, text), ...codes.map((code) => needle(SHORT, code))];
}

function tolerantNeedles(text: string): readonly Needle[] {
  const cases = [...new Set([text, text.toLowerCase(), text.toUpperCase()])];
  return [
    ...cases.map(textNeedle),
    ...[...new Set([...encodings(text), ...cases.map(inBytes)])].flatMap((encoded) =>
      codeNeedles(Buffer.from(encoded, 'latin1')),
    ),
    ...(text.length > LONGEST_LISTED ? [] : lists(text).map((list) => needle(NUMBERS, list))),
  ];
}

function textNeedle(text: string): Needle {
  const isSpread = Buffer.byteLength(solid(text)) >= SHORTEST_SPREAD || /\s/.test(text.trim());
  return needle(isSpread ? TEXT : WORD, solid(text));
}

/**
 * Returns needles for the base64 and hexadecimal of a text, also as a part of the code of a longer
 * text.
 */
function codeNeedles(bytes: Buffer): readonly Needle[] {
  const whole = bytes.toString('base64');
  const codes = [whole, whole.replaceAll('=', ''), ...[0, 1, 2].map((before) => base64Within(bytes, before))];
  return [...[...new Set(codes)].map((code) => needle(BASE64, code)), needle(NUMBERS, bytes.toString('hex'))];
}

/**
 * Returns the numbers of bytes or characters without what stands between them, as in `[99 97 110]`
 * and `U+0063`. Bytes may be signed, as in Java, and a character may be two UTF-16 units, as in
 * JavaScript.
 */
function lists(text: string): readonly string[] {
  const bytes = [...Buffer.from(text)];
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const signed = bytes.map((byte) => (byte < 128 ? byte : 256 - byte));
  const names = codes.map((code) => code.toString(16).padStart(4, '0'));
  return [...new Set([bytes, codes, units, signed, names].map((list) => list.join('')))];
}

function needle(form: Form, text: string): Needle {
  return { form, bytes: Buffer.from(Buffer.from(text).map((byte) => form.alphabet[byte]!)) };
}

/**
 * Returns the encodings that a text may have within base64 and hexadecimal, with one character for
 * each byte. Other texts need no encodings here, because they are read with all their escapes.
 */
function encodings(text: string): readonly string[] {
  const [bytes, wide] = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  const url = encodeURIComponent(text);
  const texts = [
    ...jsonTexts(text),
    url,
    url.replace(/%../g, (code) => code.toLowerCase()),
    url
      .replaceAll('%20', '+')
      .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    entities(text, { '"': '&quot;', "'": '&#39;' }),
    entities(text, { '"': '&#34;', "'": '&#39;' }),
    entities(text, { '"': '&quot;', "'": '&apos;' }),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...[0, 1, 2].map((before) => base64Within(bytes, before)),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
  return [...texts.map(inBytes), wide.toString('latin1'), wide.swap16().toString('latin1')];
}

/**
 * Returns the JSON forms that libraries write: with `/` or `<>&` escaped or not, in ASCII or not.
 */
function jsonTexts(text: string): readonly string[] {
  const texts = [JSON.stringify(text).slice(1, -1)];
  texts.push(...texts.map((json) => json.replaceAll('/', '\\/')));
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  for (const which of [/[<>&]/g, /[^ -~]/g]) texts.push(...texts.map((json) => json.replace(which, escaped)));
  return texts;
}

function entities(text: string, quotes: Readonly<Record<string, string>>): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', ...quotes };
  return text.replace(/[&<>"']/g, (sign) => names[sign]!);
}

/**
 * Returns the base64 of a text that follows `before` bytes of other text, without the characters at
 * both ends, which depend on the surrounding bytes.
 */
function base64Within(bytes: Buffer, before: number): string {
  const code = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function solid(text: string): string {
  return text.replace(/\s/g, '');
}
