import { NativeFault } from './value';

export const LARGEST_INT = 2n ** 63n - 1n;
const LONGEST_INT = 19;

const FLOAT = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** Parses an integer in the form of a literal, with a sign or without. */
export function parseIntText(text: string): bigint {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const value = parseInteger(text.slice(sign.length));
  if (value === 'malformed')
    throw new NativeFault(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  if (sign === '-' && text.slice(1) === String(LARGEST_INT + 1n)) return -LARGEST_INT - 1n;
  if (value === 'too large')
    throw new NativeFault(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return sign === '-' ? -value : value;
}

/** Parses a float in the form of a literal, with a sign or without; integers too. */
export function parseFloatText(text: string): number {
  const digits = text.replace(/^[+-]/, '');
  const problem = `strconv.ParseFloat: parsing ${JSON.stringify(text)}`;
  if (!FLOAT.test(digits)) throw new NativeFault(`${problem}: invalid syntax`);
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new NativeFault(`${problem}: value out of range`);
  return text.startsWith('-') ? -value : value;
}

/**
 * Returns the value of an unsigned integer literal: decimal, octal with a leading 0, or
 * hexadecimal.
 */
export function parseInteger(text: string): bigint | 'malformed' | 'too large' {
  const value = integerValue(text);
  if (value === undefined) return 'malformed';
  return value > LARGEST_INT ? 'too large' : value;
}

function integerValue(text: string): bigint | undefined {
  // Converting very many digits takes long, and the value is too large in any case.
  if (text.length > LONGEST_INT && /^[1-9][0-9]*$/.test(text)) return LARGEST_INT + 1n;
  if (/^0[xX][0-9a-fA-F]+$/.test(text)) return BigInt(text);
  if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text.slice(1)}`);
  if (/^(?:0|[1-9][0-9]*)$/.test(text)) return BigInt(text);
  return undefined;
}
