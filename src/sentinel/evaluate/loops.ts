import type { Identifier } from '../ast/nodes';
import type { Span } from '../source/source-text';
import { MapValue, typeName, type Value } from '../values/value';
import { Scope } from './scope';
import type { TextRun } from './text-run';

/** The key and the value of an element of a map; for a list, the index and the element. */
export type Element = readonly [key: Value, value: Value];

/**
 * Returns the elements as they are now, so that the body of a loop may change the collection. The
 * loop may end early.
 */
export function snapshotOf(collection: Value, span: Span, text: TextRun): Iterable<Element> {
  text.work(sizeOf(collection) ?? 0, span);
  return Array.isArray(collection) ? numbered([...collection]) : elementsOf(collection, span, text);
}

/**
 * Returns the elements of a list or map.
 *
 * @throws SentinelRuntimeError if the value is not a list or a map.
 */
export function elementsOf(collection: Value, span: Span, text: TextRun): readonly Element[] {
  if (Array.isArray(collection)) return collection.map((value, index) => [BigInt(index), value]);
  if (collection instanceof MapValue) {
    text.work(16 * collection.size, span);
    return [...collection.entries];
  }
  throw text.fail(span, `unsupported type for looping: ${typeName(collection)}`, text.origin(collection));
}

/**
 * Returns the scope of a loop's body. One name stands for an element of a list, or a key of a map.
 * Two names stand for the index or key, and for the value.
 */
export function loopScope(
  names: readonly Identifier[],
  [key, value]: Element,
  collection: Value,
  parent: Scope,
): Scope {
  const scope = new Scope(parent);
  const [first, second] = names;
  if (!first) return scope;
  if (second) {
    scope.declare(first.name, key);
    scope.declare(second.name, value);
  } else {
    scope.declare(first.name, Array.isArray(collection) ? value : key);
  }
  return scope;
}

/**
 * Returns the length of a string or list, or the number of a map's entries; `undefined` for other
 * values.
 */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return value instanceof MapValue ? value.size : undefined;
}

function* numbered(list: readonly Value[]): Generator<Element> {
  let index = 0n;
  for (const value of list) yield [index++, value];
}
