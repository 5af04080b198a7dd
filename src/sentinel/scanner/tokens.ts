import type { Span } from '../source/source-text';

export type SentinelTokenKind =
  'identifier' | 'keyword' | 'int' | 'float' | 'string' | 'operator' | 'semicolon' | 'end';

export interface SentinelToken extends Span {
  readonly kind: SentinelTokenKind;
  /** The text of the token; `\n` for an automatic semicolon. */
  readonly text: string;
  /** The value of a literal. */
  readonly value?: bigint | number | string;
}

export interface Comment extends Span {
  /** The comment as written, without the end of its line. */
  readonly text: string;
}

/** The reserved words. They can only be names after a dot. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...['all', 'any', 'as', 'break', 'case', 'continue', 'default', 'else', 'empty', 'filter', 'for', 'func'],
  ...['if', 'import', 'map', 'param', 'return', 'rule', 'when'],
  ...['and', 'contains', 'in', 'is', 'matches', 'not', 'or', 'xor'],
]);

/** The operators, longest first. */
export const OPERATORS: readonly string[] = [
  ...['+=', '-=', '*=', '/=', '%=', '==', '!=', '<=', '>='],
  ...['+', '-', '*', '/', '%', '<', '>', '=', '!', '(', ')', '[', ']', '{', '}', ',', '.', ':'],
];

const LAST_WORDS: ReadonlySet<string> = new Set(['break', 'continue', 'return', 'empty']);
const LAST_OPERATORS: ReadonlySet<string> = new Set([')', ']', '}']);

/** Whether the end of the line after a token ends the statement. */
export function endsStatement({ kind, text }: SentinelToken): boolean {
  if (kind === 'keyword') return LAST_WORDS.has(text);
  if (kind === 'operator') return LAST_OPERATORS.has(text);
  return kind !== 'semicolon';
}
