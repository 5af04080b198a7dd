import type { TextPosition } from '../definition/field';
import { groupsByKey } from '../groups';
import type { HclItem, HclNode } from './ast';
import { HclError, type HclFault } from './errors';
import { floatOf, integerOf, textOf } from './literal';
import type { HclToken } from './hcl-token';

// The names of nodes in the server's messages.
const SERVER_TYPES: Readonly<Record<HclNode['type'], string>> = {
  literal: '*ast.LiteralType',
  list: '*ast.ListType',
  object: '*ast.ObjectType',
  item: '*ast.ObjectItem',
  items: '*ast.ObjectList',
};

/** Returns the name of a node's type in the server's messages. */
export function serverTypeOf(node: HclNode): string {
  return SERVER_TYPES[node.type];
}

/** Returns the name of a node's type in messages for people. */
export function shownTypeOf(node: HclNode): string {
  switch (node.type) {
    case 'literal':
      if (node.token.kind === 'BOOL') return node.token.text;
      return node.token.kind === 'NUMBER' || node.token.kind === 'FLOAT' ? 'a number' : 'a text';
    case 'list':
      return 'a list';
    default:
      return 'a block';
  }
}

/**
 * Returns the values of a block under a key, which is given in lower case: first the blocks with
 * further keys, as one list, then each plain value. Decoders merge repeated values, so each
 * receives the value that was decoded before.
 */
export type BlockValues = (key: string) => readonly HclNode[];

/** Groups the items of a block by their keys once, for all arguments that it may have. */
export function valuesOf(items: readonly HclItem[]): BlockValues {
  const byKey = itemsByKey(items);
  return (key) => {
    const found = byKey.get(key);
    if (!found) return NO_VALUES;
    const blocks = found.filter((item) => item.keys.length > 1).map(withoutFirstKey);
    const values = found
      .filter((item) => item.keys.length === 1)
      .map(({ value }): HclNode => (value.type === 'object' ? { type: 'items', items: value.items } : value));
    return blocks.length > 0 ? [{ type: 'items', items: blocks }, ...values] : values;
  };
}

const NO_VALUES: readonly HclNode[] = [];

/** Returns the items of a block, in any of its notations. */
export function decodeBlock(name: string, node: HclNode): readonly HclItem[] {
  switch (node.type) {
    case 'object':
    case 'items':
      return node.items;
    case 'item':
      return node.value.type === 'literal' ? [node] : decodeBlock(name, node.value);
    default:
      throw wrongType(
        node,
        `${name}: not an object type for struct (${serverTypeOf(node)})`,
        'no-block',
        mustBe(name, 'a block', node),
      );
  }
}

export function decodeText(name: string, node: HclNode): string {
  if (node.type === 'literal') {
    const { kind } = node.token;
    if (kind === 'NUMBER' || kind === 'STRING' || kind === 'HEREDOC') return textOf(node.token);
  }
  throw wrongType(
    node,
    `${name}: unknown type for string ${serverTypeOf(node)}`,
    'no-text',
    mustBe(name, 'a text', node),
  );
}

export function decodeInteger(name: string, node: HclNode): number {
  if (node.type === 'literal' && (node.token.kind === 'NUMBER' || node.token.kind === 'STRING')) {
    return integerOf(node.token);
  }
  throw wrongType(
    node,
    `${name}: unknown type ${serverTypeOf(node)}`,
    'no-number',
    mustBe(name, 'a number', node),
  );
}

/** Decodes a list of strings. */
export function decodeTexts(name: string, node: HclNode): readonly string[] {
  return elementsOf(name, node).map((element, index) => decodeText(`${name}[${index}]`, element));
}

/** Decodes a list of values of any type. */
export function decodeList(name: string, node: HclNode): readonly unknown[] {
  return elementsOf(name, node).map((element, index) => decodeAny(`${name}[${index}]`, element, true));
}

/**
 * Decodes a map.
 *
 * @param decode decodes a value. If the key was set before, it receives the earlier value.
 * @param map the values of an earlier argument with the same name, to which the new values are
 * added.
 */
export function decodeMap<T>(
  name: string,
  node: HclNode,
  decode: (name: string, node: HclNode, earlier: T | undefined) => T,
  map = new Map<string, T>(),
): Map<string, T> {
  const done = new Set<string>();
  const items = mapItems(name, node);
  checkSpellings(name, items);
  const under = itemsByKey(items);
  for (const item of items) {
    const [first, ...rest] = item.keys;
    if (!first) throw HclError.at(positionOf(node), `${name}: map must have string keys`);
    const key = textOf(first);
    if (done.has(key)) continue;
    if (rest.length > 0) done.add(key);
    const value: HclNode =
      rest.length > 0
        ? { type: 'items', items: (under.get(key.toLowerCase()) ?? []).map(withoutFirstKey) }
        : item.value;
    map.set(key, decode(`${name}.${key}`, value, map.get(key)));
  }
  return map;
}

/**
 * Decodes a value of any type. As in HCL 1, an object that is not in a list becomes a list with one
 * element.
 */
export function decodeAny(name: string, node: HclNode, inList: boolean): unknown {
  switch (node.type) {
    case 'literal':
      return decodeLiteral(node.token);
    case 'list':
      return decodeList(name, node);
    case 'item':
      return decodeRecord(name, node);
    case 'object':
      return inList ? decodeRecord(name, node) : [decodeRecord(name, node)];
    case 'items':
      return inList ? decodeRecord(name, node) : node.items.map((item) => decodeRecord(name, item));
  }
}

function decodeRecord(name: string, node: HclNode): Record<string, unknown> {
  return Object.fromEntries(decodeMap(name, node, (key, value) => decodeAny(key, value, false)));
}

function decodeLiteral(token: HclToken): unknown {
  switch (token.kind) {
    case 'BOOL':
      return token.text === 'true';
    case 'NUMBER':
      return integerOf(token);
    case 'FLOAT':
      return floatOf(token);
    default:
      return textOf(token);
  }
}

function elementsOf(name: string, node: HclNode): readonly HclNode[] {
  switch (node.type) {
    case 'list':
      return node.elements;
    case 'items':
      return node.items;
    case 'object':
      return [node];
    default:
      throw wrongType(
        node,
        `unknown slice type: ${serverTypeOf(node)}`,
        node.type === 'literal' ? 'no-list' : undefined,
        mustBe(name, 'a list', node),
      );
  }
}

function mapItems(name: string, node: HclNode): readonly HclItem[] {
  switch (node.type) {
    case 'object':
    case 'items':
      return node.items;
    case 'item':
      return [node];
    default:
      throw wrongType(
        node,
        `${name}: not an object type for map (${serverTypeOf(node)})`,
        'no-map',
        mustBe(name, 'a block', node),
      );
  }
}

/**
 * Refuses a key with labels that is also written in another case, or without labels. Its content
 * would be decoded once for each spelling, which doubles the work at each level.
 */
function checkSpellings(name: string, items: readonly HclItem[]): void {
  const spellings = new Map<string, { readonly key: string; readonly hasLabels: boolean }>();
  for (const item of items) {
    const [token] = item.keys;
    if (!token) continue;
    const key = textOf(token);
    const hasLabels = item.keys.length > 1;
    const other = spellings.get(key.toLowerCase());
    if (!other) spellings.set(key.toLowerCase(), { key, hasLabels });
    else if (other.hasLabels !== hasLabels || (hasLabels && other.key !== key)) {
      throw HclError.at(positionOf(item), `${name}: key "${key}" is also written in another way`);
    }
  }
}

/** Returns the items by their first key in lower case. */
function itemsByKey(items: readonly HclItem[]): ReadonlyMap<string, readonly HclItem[]> {
  const named = items.filter(({ keys }) => keys.length > 0);
  return groupsByKey(named, ({ keys }) => textOf(keys[0]!).toLowerCase());
}

/** Returns an item without its first key. */
function withoutFirstKey(item: HclItem): HclItem {
  return { ...item, keys: item.keys.slice(1) };
}

function wrongType(node: HclNode, message: string, fault: HclFault | undefined, plain: string): HclError {
  return HclError.at(positionOf(node), message, fault, plain);
}

/**
 * @param name the name in the server's spelling, which may differ in the case of its first letter.
 */
function mustBe(name: string, expected: string, node: HclNode): string {
  const argument = name.replace(/^root\.(.)/, (_, first: string) => first.toLowerCase());
  return `${argument} must be ${expected}, and is ${shownTypeOf(node)}`;
}

function positionOf(node: HclNode): TextPosition | undefined {
  switch (node.type) {
    case 'literal':
      return node.token.json ? undefined : node.token.position;
    case 'item':
      return node.keys[0]?.json ? undefined : node.keys[0]?.position;
    case 'items':
      return node.items[0] && positionOf(node.items[0]);
    default:
      return node.position;
  }
}
