import { isInteger, isSafeNumber, parse, stringify } from 'lossless-json';
import { LONGEST_NUMBER } from '../../text';

/**
 * Matches texts in which a number could lose digits: numbers of JavaScript keep at least 15 digits.
 */
const LONG_DIGITS = /\d{16}/;

/**
 * Parses JSON. Integers beyond 2^53 become `bigint`.
 *
 * @throws SyntaxError if the text is not JSON, or a number has more than a thousand characters.
 */
export function parseJson(text: string): unknown {
  return LONG_DIGITS.test(text) ? parse(text, null, parseNumber) : JSON.parse(text);
}

/** Writes JSON. `bigint` values become numbers with all their digits. */
export function stringifyJson(value: unknown): string {
  return stringify(value) ?? 'null';
}

function parseNumber(digits: string): number | bigint {
  if (digits.length > LONGEST_NUMBER) throw new SyntaxError('a number is too long');
  return isInteger(digits) && !isSafeNumber(digits) ? BigInt(digits) : Number(digits);
}
