import { Token } from 'cdktf';

/**
 * Matches a token, or an expression that Terraform evaluates. In literal texts, `${` and `%{` are
 * escaped as `$${` and `%%{`.
 */
const EXPRESSION = /(?<!\$)\$\{|(?<!%)%\{/;
const ESCAPED = /([$%])\1\{/g;

/**
 * Whether only Terraform knows `value`: it is a token, a text with an expression, or a list with
 * one of these.
 */
export function isUnknown(value: unknown): boolean {
  if (typeof value === 'string') return EXPRESSION.test(value);
  return Token.isUnresolved(value) || (Array.isArray(value) && value.some(isUnknown));
}

const LARGE_NUMBER = /-\d(?:\.\d+)?e\+\d+/g;

/**
 * Whether a text, or a text of a list, contains the number by which the framework represents a
 * number that only Terraform knows. Within a text, it is not recognized everywhere.
 */
export function hasNumberToken(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNumberToken);
  // Nearly all texts end here: a match costs several times as much.
  if (typeof value !== 'string' || !value.includes('+')) return false;
  return Array.from(value.matchAll(LARGE_NUMBER)).some(([number]) => Token.isUnresolved(Number(number)));
}

/** Whether an amount is a token or a whole number of at least 0. */
export function isWholeNumber(amount: number): boolean {
  return Token.isUnresolved(amount) || (Number.isSafeInteger(amount) && amount >= 0);
}

/**
 * Returns a known value as Terraform passes it on: escaped text, such as `$${`, is replaced by the
 * literal text.
 */
export function asTerraformReads(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTerraformReads);
  return typeof value === 'string' ? value.replace(ESCAPED, '$1{') : value;
}
