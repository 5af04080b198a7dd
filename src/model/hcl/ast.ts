import type { TextPosition } from '../definition/field';
import type { Token } from './token';

/** A number, text, truth value or heredoc. */
export interface HclLiteral {
  readonly type: 'literal';
  readonly token: Token;
}

export interface HclList {
  readonly type: 'list';
  /** Absent in the JSON form, whose nodes know no position. */
  readonly position?: TextPosition;
  readonly elements: readonly HclValue[];
}

export interface HclObject {
  readonly type: 'object';
  readonly position?: TextPosition;
  readonly items: readonly HclItem[];
}

export type HclValue = HclLiteral | HclList | HclObject;

/** `key = value`, or a block whose keys may be several: `path "x" { }`. */
export interface HclItem {
  readonly type: 'item';
  readonly keys: readonly Token[];
  /** Line of the `=` or `:`; 0 for a block. */
  readonly assignLine: number;
  readonly value: HclValue;
}

/** The items under one key, with that key taken off. */
export interface HclItems {
  readonly type: 'items';
  readonly items: readonly HclItem[];
}

export type HclNode = HclValue | HclItem | HclItems;
