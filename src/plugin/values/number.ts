import { LONGEST_NUMBER, trimmedEnd } from '../../text';

/**
 * A number of Terraform. It is a `number` if that is exact, a `bigint` for whole numbers beyond
 * 2^53, and a `Decimal` for other numbers.
 */
export type TerraformNumber = number | bigint | Decimal;

/** A number with more digits than a JavaScript number, as its decimal text. */
export class Decimal {
  constructor(readonly text: string) {}

  /** The nearest JavaScript number. */
  toNumber(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/** Returns the number of a decimal text, such as `12`, `-0.5` or `1e400`. */
export function numberFromText(text: string): TerraformNumber {
  if (text.length <= LONGEST_NUMBER && /^-?\d+$/.test(text)) return safest(BigInt(text));
  const number = Number(text);
  return canonical(String(number)) === canonical(text) ? number : new Decimal(text);
}

/** Returns a whole number as a `number` if that is exact. */
export function safest(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Returns the number of a binary floating point value. Terraform only sends binary values that are
 * exact. The text of a JavaScript number may be rounded: 0.1 is not exactly a tenth. If so, the
 * exact text is used.
 */
export function numberFromFloat(value: number): TerraformNumber {
  if (!Number.isFinite(value)) return value;
  if (Number.isInteger(value)) return safest(BigInt(value));
  const exact = exactText(value);
  return canonical(exact) === canonical(String(value)) ? value : new Decimal(exact);
}

/**
 * Returns all digits of a binary floating point value: value = whole / 2^n = whole * 5^n / 10^n.
 */
function exactText(value: number): string {
  let whole = value;
  let places = 0;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    places += 1;
  }
  return `${BigInt(whole) * 5n ** BigInt(places)}e-${places}`;
}

/** Splits a decimal text into sign, digits and exponent, without leading and trailing zeros. */
function canonical(text: string): string {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!match) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = trimmedEnd(digits, '0');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
