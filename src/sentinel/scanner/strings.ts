import { SentinelSyntaxError } from '../source/errors';
import type { SourceText } from '../source/source-text';
import { byteText, concatenate } from '../values/text';

interface ScannedString {
  readonly value: string;
  readonly end: number;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

const PLAIN = /[^"\\\n]*/y;

/** Scans a string in double quotes, which starts at an offset. */
export function scanQuoted(source: SourceText, start: number): ScannedString {
  const { text } = source;
  let value = '';
  let at = start + 1;
  for (;;) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0] ?? '';
    value = concatenate(value, plain);
    at += plain.length;
    const character = text[at];
    if (character === '"') return { value, end: at + 1 };
    if (character !== '\\') {
      const span = { start, end: at };
      throw new SentinelSyntaxError(
        source,
        span,
        'the string is never closed',
        "close it with '\"' on the same line",
      );
    }
    const escape = scanEscape(source, at);
    value = concatenate(value, escape.value);
    at = escape.end;
  }
}

/** Scans a string in backquotes, which has no escapes and may have several lines. */
export function scanRaw(source: SourceText, start: number): ScannedString {
  const end = source.text.indexOf('`', start + 1);
  if (end < 0) {
    const span = { start, end: start + 1 };
    throw new SentinelSyntaxError(source, span, 'the string is never closed', 'close it with "`"');
  }
  return { value: source.text.slice(start + 1, end), end: end + 1 };
}

function scanEscape(source: SourceText, at: number): ScannedString {
  const { text } = source;
  const letter = text.charAt(at + 1);
  const simple = SIMPLE_ESCAPES[letter];
  if (simple !== undefined && Object.hasOwn(SIMPLE_ESCAPES, letter)) return { value: simple, end: at + 2 };
  if (letter >= '0' && letter <= '7') return byteEscape(source, at, at + 1, 3, 8);
  if (letter === 'x') return byteEscape(source, at, at + 2, 2, 16);
  if (letter === 'u') return codePointEscape(source, at, 4);
  if (letter === 'U') return codePointEscape(source, at, 8);
  throw new SentinelSyntaxError(
    source,
    { start: at, end: at + 2 },
    `unknown escape ${JSON.stringify(text.slice(at, at + 2)).replaceAll('\\\\', '\\')}`,
    letter === "'" ? "write ' without the backslash" : 'write "\\\\" for a backslash',
  );
}

function byteEscape(
  source: SourceText,
  start: number,
  from: number,
  count: number,
  base: number,
): ScannedString {
  const digits = source.text.slice(from, from + count);
  const value = numberOf(digits, count, base);
  const span = { start, end: from + count };
  const kind = base === 8 ? 'three octal' : 'two hexadecimal';
  if (value === undefined)
    throw new SentinelSyntaxError(source, span, `an escape of this kind has ${kind} digits`);
  if (value > 255)
    throw new SentinelSyntaxError(source, span, 'the octal escape is above \\377, the largest byte');
  return { value: byteText(value), end: span.end };
}

function codePointEscape(source: SourceText, start: number, count: number): ScannedString {
  const value = numberOf(source.text.slice(start + 2, start + 2 + count), count, 16);
  const span = { start, end: start + 2 + count };
  if (value === undefined) {
    throw new SentinelSyntaxError(source, span, `an escape of this kind has ${count} hexadecimal digits`);
  }
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
    throw new SentinelSyntaxError(source, span, 'the escape is not a valid Unicode code point');
  }
  return { value: String.fromCodePoint(value), end: span.end };
}

function numberOf(digits: string, count: number, base: number): number | undefined {
  const allowed = base === 8 ? /^[0-7]+$/ : /^[0-9a-fA-F]+$/;
  return digits.length === count && allowed.test(digits) ? parseInt(digits, base) : undefined;
}

/**
 * Returns the offset in the source at which a character of a string is written.
 *
 * @param start the offset of the opening quote.
 * @param index the index of the character in the value of the string.
 */
export function offsetInString(source: SourceText, start: number, index: number): number {
  const { text } = source;
  if (text[start] === '`') return start + 1 + index;
  let at = start + 1;
  for (let passed = 0; passed < index && at < text.length;) {
    const { value, end } = text[at] === '\\' ? scanEscape(source, at) : { value: text[at]!, end: at + 1 };
    passed += value.length;
    at = end;
  }
  return at;
}
