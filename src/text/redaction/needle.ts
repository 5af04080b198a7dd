import { inBytes } from './escapes';
import { GAPS, type Gaps } from './gaps';

/** How needles of one kind are compared with a text. */
interface Form {
  /**
   * The byte that each byte counts as: where case makes no difference, capital letters count as
   * small ones.
   */
  readonly alphabet: Uint8Array;
  readonly gaps: Gaps;
  /** Whether they are too short to be found between other letters and digits. */
  readonly standsAlone: boolean;
}

/** A way to write a secret that is searched for. */
export interface Needle {
  readonly form: Form;
  /** In the alphabet of the form. */
  readonly bytes: Buffer;
}

/** In bytes. Hiding shorter secrets would make texts unreadable, and they can be guessed anyway. */
const SHORTEST = 3;
/**
 * In bytes. Shorter secrets are words and numbers, which occur in other texts in other case or over
 * two lines.
 */
const SHORTEST_TOLERANT = 6;
/** In bytes. Without their white space, shorter secrets occur in texts by accident. */
const SHORTEST_SPREAD = 12;
/** In characters. Longer secrets are keys and tokens, which nobody writes as a list of numbers. */
const LONGEST_LISTED = 256;

/** Bytes that count as others. */
interface Range {
  readonly from: number;
  readonly to: number;
  /** The byte that the first counts as; the next counts as the next. */
  readonly as: number;
}

/** With the second bytes of capital letters of Latin-1: `Ä` is `c3 84`, `ä` is `c3 a4`. */
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
/** Base64 for URLs counts as base64. */
const OF_BASE64 = alphabet(FOR_URLS);

/** Maps bytes to one that count as one in any alphabet. */
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

/** Base64 and hexadecimal of a text. Both may begin anywhere within the code of a longer one. */
function codeNeedles(bytes: Buffer): readonly Needle[] {
  const whole = bytes.toString('base64');
  const codes = [whole, whole.replaceAll('=', ''), ...[0, 1, 2].map((before) => base64Within(bytes, before))];
  return [...[...new Set(codes)].map((code) => needle(BASE64, code)), needle(NUMBERS, bytes.toString('hex'))];
}

/**
 * The numbers of bytes or characters without what stands between them, as in `[99 97 110]` and
 * `U+0063`. Bytes may be signed, as in Java, and characters two units, as in JavaScript.
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
 * The encodings that a text may have within base64 and hexadecimal, each byte as a character. A
 * text outside of codes needs no encodings here: the text is read with all its escapes.
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

/** JSON as libraries write it: with solidi or not, for HTML or not, in ASCII or not. */
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
 * The base64 of a text that `before` bytes of other text precede, without the characters at its
 * ends that depend on what surrounds it.
 */
function base64Within(bytes: Buffer, before: number): string {
  const code = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function solid(text: string): string {
  return text.replace(/\s/g, '');
}
