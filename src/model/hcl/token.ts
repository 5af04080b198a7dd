import type { TextPosition } from '../definition/field';

export type TokenKind =
  | 'EOF'
  | 'ILLEGAL'
  | 'COMMENT'
  | 'IDENT'
  | 'NUMBER'
  | 'FLOAT'
  | 'BOOL'
  | 'STRING'
  | 'NULL'
  | 'HEREDOC'
  | 'LBRACK'
  | 'LBRACE'
  | 'COMMA'
  | 'PERIOD'
  | 'RBRACK'
  | 'RBRACE'
  | 'ASSIGN'
  | 'COLON'
  | 'ADD'
  | 'SUB';

export interface Token {
  readonly kind: TokenKind;
  /** As in the source, quotes and escapes included. */
  readonly text: string;
  readonly position: TextPosition;
  /** Read from the JSON form, whose strings know no interpolation. */
  readonly json: boolean;
}

export const PUNCTUATION: Readonly<Record<string, TokenKind>> = {
  '[': 'LBRACK',
  ']': 'RBRACK',
  '{': 'LBRACE',
  '}': 'RBRACE',
  ',': 'COMMA',
};
