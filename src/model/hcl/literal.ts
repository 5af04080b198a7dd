import { HclError } from './errors';
import type { HclToken } from './hcl-token';

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '\\': 92,
  '"': 34,
};
const CODE_POINT_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Returns the text of an identifier, a string, a heredoc or a null. */
export function textOf(token: HclToken): string {
  switch (token.kind) {
    case 'HEREDOC':
      return heredocText(token.text);
    case 'STRING':
      return token.text === '' ? '' : unquote(token);
    default:
      return token.text;
  }
}

/** Returns an integer in decimal, hexadecimal (`0x`) or octal (`0`) notation. */
export function integerOf(token: HclToken): number {
  const text = token.kind === 'STRING' ? textOf(token) : token.text;
  const match = /^([+-]?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]+)|([1-9][0-9]*|0))$/.exec(text);
  const refused = (problem: string) =>
    new HclError(`strconv.ParseInt: parsing ${JSON.stringify(shortened(text))}: ${problem}`, token.position);
  if (!match) throw refused('invalid syntax');
  // Such a text is too long for an integer of 64 bits, apart from leading zeros.
  if (text.length > LONGEST_SHOWN) throw refused('value out of range');
  const [, sign, hexadecimal, octal, decimal] = match;
  const size = BigInt(hexadecimal ? `0x${hexadecimal}` : octal ? `0o${octal}` : (decimal ?? ''));
  const value = sign === '-' ? -size : size;
  if (value !== BigInt.asIntN(64, value)) throw refused('value out of range');
  return Number(value);
}

export function floatOf(token: HclToken): number {
  const value = /^-?[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$/.test(token.text) ? Number(token.text) : NaN;
  if (Number.isFinite(value)) return value;
  const problem = Number.isNaN(value) ? 'invalid syntax' : 'value out of range';
  throw new HclError(
    `strconv.ParseFloat: parsing ${JSON.stringify(shortened(token.text))}: ${problem}`,
    token.position,
  );
}

/** The number of characters of a string or number that a message shows. */
const LONGEST_SHOWN = 200;

/**
 * Returns the text of a quoted string. Within `${…}` of native HCL, nothing is an escape; the
 * scanner has checked that the braces match.
 */
function unquote(token: HclToken): string {
  const inner = token.text.slice(1, -1);
  if (!inner.includes('\\')) return inner;

  const pieces: Uint8Array[] = [];
  const encoder = new TextEncoder();
  const special = token.json ? /\\/g : /\\|\$\{/g;
  for (let index = 0; index < inner.length;) {
    special.lastIndex = index;
    const next = special.exec(inner)?.index ?? inner.length;
    if (next > index) pieces.push(encoder.encode(inner.slice(index, next)));
    index = next;
    if (inner[index] === '$') {
      const end = interpolationEnd(inner, index);
      pieces.push(encoder.encode(inner.slice(index, end)));
      index = end;
    } else if (inner[index] === '\\') {
      const escape = unescape(inner, index + 1, token);
      pieces.push(Uint8Array.from(escape.bytes));
      index = escape.end;
    }
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(joined(pieces));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function interpolationEnd(text: string, start: number): number {
  let braces = 1;
  let index = start + 2;
  while (braces > 0 && index < text.length) {
    if (text[index] === '{') braces++;
    if (text[index] === '}') braces--;
    index++;
  }
  return index;
}

/**
 * Reads the escape whose backslash is before `start`. An octal or `\x` escape stands for one byte.
 */
function unescape(text: string, start: number, token: HclToken): { bytes: Iterable<number>; end: number } {
  const kind = text[start] ?? '';
  const simple = ESCAPES[kind];
  if (simple !== undefined) return { bytes: [simple], end: start + 1 };

  const octal = /^[0-7]{3}/.exec(text.slice(start, start + 3));
  if (octal) {
    const value = parseInt(octal[0], 8);
    if (value > 255) throw invalidString(token);
    return { bytes: [value], end: start + 3 };
  }
  const end = start + 1 + (CODE_POINT_DIGITS[kind] ?? 0);
  const value = parseInt(text.slice(start + 1, end), 16);
  if (kind === 'x') return { bytes: [value], end };
  const surrogate = value >= 0xd800 && value <= 0xdfff;
  if (!(value <= 0x10ffff) || (surrogate && token.json)) throw invalidString(token);
  return { bytes: new TextEncoder().encode(surrogate ? '\ufffd' : String.fromCodePoint(value)), end };
}

function invalidString(token: HclToken): HclError {
  return HclError.at(token.position, `invalid escape in the string ${shortened(token.text)}`);
}

function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/**
 * Returns the lines between the anchors. With `<<-`, the indentation of the final anchor is removed
 * from every line.
 */
function heredocText(text: string): string {
  const head = text.indexOf('\n');
  const anchorLength = head - 1;
  if (text[2] !== '-') return text.slice(head + 1, text.length - anchorLength);

  const lines = text.slice(head + 1, text.length - anchorLength + 1).split('\n');
  const indentation = lines.at(-1) ?? '';
  if (!lines.every((line) => line.startsWith(indentation))) {
    return withoutBlanksAtEnd(text.slice(head + 1, text.length - anchorLength));
  }
  return [...lines.slice(0, -1).map((line) => line.slice(indentation.length)), ''].join('\n');
}

function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(0, end);
}
