import { Token } from 'cdktf';

/**
 * A token, or an expression for Terraform to evaluate. Literal ones are escaped as `$${` and `%%{`.
 */
const EXPRESSION = /(?<!\$)\$\{|(?<!%)%\{/;
const ESCAPED = /([$%])\1\{/g;

/**
 * Whether only Terraform knows `value`: a token, a text that holds an expression, or a list with
 * one of them.
 */
export function isUnknown(value: unknown): boolean {
  if (typeof value === 'string') return EXPRESSION.test(value);
  return Token.isUnresolved(value) || (Array.isArray(value) && value.some(isUnknown));
}

/** Whether an amount is a token, or a whole number that is not negative. */
export function isWholeNumber(amount: number): boolean {
  return Token.isUnresolved(amount) || (Number.isSafeInteger(amount) && amount >= 0);
}

/** Returns a known value as Terraform passes it on, with escaped text as literal text. */
export function asTerraformReads(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTerraformReads);
  return typeof value === 'string' ? value.replace(ESCAPED, '$1{') : value;
}
