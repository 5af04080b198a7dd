import { NativeFault } from './value';

export const LARGEST_INT = 2n ** 63n - 1n;
/**
 * The maximum number of digits of an int without leading zeros: 64 bits have 22 digits in octal.
 * Longer numbers are not converted, because that can take long.
 */
const LONGEST_INT = 22;

const FLOAT = /^(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** The maximum length of a text in a message, in characters. */
const LONGEST_SHOWN = 60;

/**
 * Returns a text that is not a number, for messages: in quotes, and only its beginning if it is
 * long.
 */
export function shown(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}

/** Parses an integer in the form of a literal, with a sign or without. */
export function parseIntText(text: string): bigint {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const value = parseInteger(text.slice(sign.length));
  if (value === 'malformed')
    throw new NativeFault(`strconv.ParseInt: parsing ${shown(text)}: invalid syntax`);
  if (sign === '-' && text.slice(1) === String(LARGEST_INT + 1n)) return -LARGEST_INT - 1n;
  if (value === 'too large')
    throw new NativeFault(`strconv.ParseInt: parsing ${shown(text)}: value out of range`);
  return sign === '-' ? -value : value;
}

/** Parses a float in the form of a literal, with a sign or without; integers too. */
export function parseFloatText(text: string): number {
  const digits = text.replace(/^[+-]/, '');
  const problem = `strconv.ParseFloat: parsing ${shown(text)}`;
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
  if (/^0[xX][0-9a-fA-F]+$/.test(text)) return ofDigits('0x', text.slice(2));
  if (/^0[0-7]+$/.test(text)) return ofDigits('0o', text);
  return /^(?:0|[1-9][0-9]*)$/.test(text) ? ofDigits('', text) : undefined;
}

/** Returns the value of digits; 2^64 if they are more than an int can have. */
function ofDigits(prefix: string, digits: string): bigint {
  const significant = digits.replace(/^0+/, '') || '0';
  return significant.length > LONGEST_INT ? 2n ** 64n : BigInt(`${prefix}${significant}`);
}

/**
 * Returns the int that decimal digits, with a minus or without, stand for; `undefined` if they are
 * no digits, or the value has more than 64 bits.
 */
export function decimalInt(text: string): bigint | undefined {
  if (!/^-?[0-9]+$/.test(text)) return undefined;
  const size = ofDigits('', text.replace('-', ''));
  const value = text.startsWith('-') ? -size : size;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
