import { LARGEST_INT, parseInteger } from '../scanner/numbers';
import { NativeFault } from './value';

const FLOAT = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** An integer as a literal is written, with a sign or without. */
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

/** A float as a literal is written, with a sign or without; integers too. */
export function parseFloatText(text: string): number {
  const digits = text.replace(/^[+-]/, '');
  const problem = `strconv.ParseFloat: parsing ${JSON.stringify(text)}`;
  if (!FLOAT.test(digits)) throw new NativeFault(`${problem}: invalid syntax`);
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new NativeFault(`${problem}: value out of range`);
  return text.startsWith('-') ? -value : value;
}
