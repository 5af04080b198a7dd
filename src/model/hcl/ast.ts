import type { TextPosition } from '../definition/field';
import type { HclToken } from './hcl-token';

/** A number, string, boolean or heredoc. */
export interface HclLiteral {
  readonly type: 'literal';
  readonly token: HclToken;
}

export interface HclList {
  readonly type: 'list';
  /** Absent in the JSON form, whose nodes have no position. */
  readonly position?: TextPosition;
  readonly elements: readonly HclValueNode[];
}

export interface HclObject {
  readonly type: 'object';
  readonly position?: TextPosition;
  readonly items: readonly HclItem[];
}

export type HclValueNode = HclLiteral | HclList | HclObject;

/** An item of a block: `key = value`, or a block, which may have several keys: `path "x" { }`. */
export interface HclItem {
  readonly type: 'item';
  readonly keys: readonly HclToken[];
  /** The line of the `=` or `:`; 0 for a block. */
  readonly assignLine: number;
  readonly value: HclValueNode;
}

/** The items with the same first key, without that key. */
export interface HclItems {
  readonly type: 'items';
  readonly items: readonly HclItem[];
}

export type HclNode = HclValueNode | HclItem | HclItems;
