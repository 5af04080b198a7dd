import type { TextPosition } from '../definition/field';
import type { HclItem, HclNode } from './ast';
import { HclError } from './errors';
import { floatOf, integerOf, textOf } from './literal';
import type { Token } from './token';

// The names that the server's messages give to the kinds of nodes.
const SERVER_TYPES: Readonly<Record<HclNode['type'], string>> = {
  literal: '*ast.LiteralType',
  list: '*ast.ListType',
  object: '*ast.ObjectType',
  item: '*ast.ObjectItem',
  items: '*ast.ObjectList',
};

/** What the server's messages call the type of a node. */
export function serverTypeOf(node: HclNode): string {
  return SERVER_TYPES[node.type];
}

/**
 * Everything that is set under `key` in a block: first the blocks with further keys, as one list, then each
 * plain value. All of them count, so that the decoders take what was decoded before.
 */
export function valuesOf(items: readonly HclItem[], key: string): readonly HclNode[] {
  const found = itemsUnder(items, key);
  if (found.length === 0) return found;
  const blocks = found.filter((item) => item.keys.length > 0);
  const values = found
    .filter((item) => item.keys.length === 0)
    .map(({ value }): HclNode => (value.type === 'object' ? { type: 'items', items: value.items } : value));
  return blocks.length > 0 ? [{ type: 'items', items: blocks }, ...values] : values;
}

/** The items of a block, from any of the forms it may have. */
export function decodeBlock(name: string, node: HclNode): readonly HclItem[] {
  switch (node.type) {
    case 'object':
    case 'items':
      return node.items;
    case 'item':
      return node.value.type === 'literal' ? [node] : decodeBlock(name, node.value);
    default:
      throw HclError.at(positionOf(node), `${name}: not an object type for struct (${serverTypeOf(node)})`);
  }
}

export function decodeText(name: string, node: HclNode): string {
  if (node.type === 'literal') {
    const { kind } = node.token;
    if (kind === 'NUMBER' || kind === 'STRING' || kind === 'HEREDOC') return textOf(node.token);
  }
  throw mismatch(node, `${name}: unknown type for string`);
}

export function decodeInteger(name: string, node: HclNode): number {
  if (node.type === 'literal' && (node.token.kind === 'NUMBER' || node.token.kind === 'STRING')) {
    return integerOf(node.token);
  }
  throw mismatch(node, `${name}: unknown type`);
}

/** A list of texts, appended to those of an earlier argument of the same name. */
export function decodeTexts(name: string, node: HclNode, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...elementsOf(node).map((element, index) => decodeText(`${name}[${index}]`, element))];
}

/** A list of values of any type. */
export function decodeList(name: string, node: HclNode): readonly unknown[] {
  return elementsOf(node).map((element, index) => decodeAny(`${name}[${index}]`, element, true));
}

/** A map, its values decoded by `decode`, which gets the key's earlier value in case the key occurs again. */
export function decodeMap<T>(
  name: string,
  node: HclNode,
  decode: (name: string, node: HclNode, earlier: T | undefined) => T,
  earlier: Iterable<readonly [string, T]> = [],
): Map<string, T> {
  const map = new Map(earlier);
  const done = new Set<string>();
  const items = mapItems(name, node);
  for (const item of items) {
    const [first, ...rest] = item.keys;
    if (!first) throw HclError.at(positionOf(node), `${name}: map must have string keys`);
    const key = textOf(first);
    if (done.has(key)) continue;
    if (rest.length > 0) done.add(key);
    const value: HclNode = rest.length > 0 ? { type: 'items', items: itemsUnder(items, key) } : item.value;
    map.set(key, decode(`${name}.${key}`, value, map.get(key)));
  }
  return map;
}

/** A value of whatever type it is written in. An object that stands in no list is a list of one, as HCL 1 has it. */
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

function decodeLiteral(token: Token): unknown {
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

function elementsOf(node: HclNode): readonly HclNode[] {
  switch (node.type) {
    case 'list':
      return node.elements;
    case 'items':
      return node.items;
    case 'object':
      return [node];
    default:
      throw HclError.at(positionOf(node), `unknown slice type: ${serverTypeOf(node)}`);
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
      throw HclError.at(positionOf(node), `${name}: not an object type for map (${serverTypeOf(node)})`);
  }
}

/** The items whose first key is `key` in any case, with that key taken off. */
function itemsUnder(items: readonly HclItem[], key: string): readonly HclItem[] {
  return items
    .filter(({ keys }) => keys[0] !== undefined && textOf(keys[0]).toLowerCase() === key.toLowerCase())
    .map((item) => ({ ...item, keys: item.keys.slice(1) }));
}

function mismatch(node: HclNode, message: string): HclError {
  return HclError.at(positionOf(node), `${message} ${serverTypeOf(node)}`);
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
