import { SentinelSyntaxError } from '../source/errors';
import type { SourceText } from '../source/source-text';
import { LARGEST_INT, parseInteger } from '../values/convert';

interface ScannedNumber {
  readonly kind: 'int' | 'float';
  readonly value: bigint | number;
  readonly end: number;
}

const HEXADECIMAL = /0[xX][0-9a-fA-F]*/y;
const FLOAT = /(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const DECIMAL = /[0-9]+/y;

export function scanNumber(source: SourceText, start: number): ScannedNumber {
  const hexadecimal = match(HEXADECIMAL, source.text, start);
  if (hexadecimal !== undefined) return int(source, start, hexadecimal);
  const float = match(FLOAT, source.text, start);
  if (float !== undefined) {
    const [value, end] = [Number(float), start + float.length];
    if (Number.isFinite(value)) return { kind: 'float', value, end };
    const problem = `${float} is too large: the largest float is ${Number.MAX_VALUE}`;
    throw new SentinelSyntaxError(source, { start, end }, problem);
  }
  return int(source, start, match(DECIMAL, source.text, start) ?? '');
}

function int(source: SourceText, start: number, text: string): ScannedNumber {
  const span = { start, end: start + text.length };
  const parsed = parseInteger(text);
  if (parsed === 'malformed') {
    const digits = /^0[xX]/.test(text) ? 'hexadecimal digits must follow "0x"' : 'octal digits are 0 to 7';
    const hint = /^0[0-9]/.test(text) ? 'a number that starts with 0 is octal' : undefined;
    throw new SentinelSyntaxError(source, span, `${text} is not a valid integer: ${digits}`, hint);
  }
  if (parsed === 'too large') {
    const problem = `${text} is too large: integers have 64 bits, the largest is ${LARGEST_INT}`;
    throw new SentinelSyntaxError(source, span, problem);
  }
  return { kind: 'int', value: parsed, end: span.end };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
