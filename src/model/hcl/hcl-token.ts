import type { TextPosition } from '../definition/field';

export type HclTokenKind =
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

export interface HclToken {
  readonly kind: HclTokenKind;
  /** The text as in the source, including quotes and escapes. */
  readonly text: string;
  readonly position: TextPosition;
  /** Whether it was read from the JSON form, whose strings have no interpolation. */
  readonly json: boolean;
}

export const PUNCTUATION: Readonly<Record<string, HclTokenKind>> = {
  '[': 'LBRACK',
  ']': 'RBRACK',
  '{': 'LBRACE',
  '}': 'RBRACE',
  ',': 'COMMA',
};
