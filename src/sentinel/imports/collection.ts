import { functionArgument, mapArgument, unexpected } from '../values/arguments';
import { isEqual } from '../values/compare';
import {
  MapValue,
  NativeFault,
  NativeFunction,
  typeName,
  Undefined,
  UNDEFINED,
  type RunContext,
  type Value,
} from '../values/value';
import { walkTo } from '../values/walks';

export const COLLECTION: Readonly<Record<string, Value>> = {
  filter: predicate('filter', (found) => found.filter(([, isFound]) => isFound).map(([value]) => value)),
  reject: predicate('reject', (found) => found.filter(([, isFound]) => !isFound).map(([value]) => value)),
  find: new NativeFunction('collection.find', [2, 2], (args, caller) => {
    for (const [value, isFound] of judged('find', args, caller)) if (isFound) return value;
    return UNDEFINED;
  }),
  matches: new NativeFunction('collection.matches', [2, 2], ([items, pattern], caller) => {
    const elements = elementsOf('matches', items);
    const wanted = mapArgument('collection.matches', pattern);
    caller.allocate(elements.length);
    return elements.map(([value]) => value).filter((value) => matches(value, wanted, 0));
  }),
  reduce: new NativeFunction('collection.reduce', [2, 3], ([items, callback, initial], caller) => {
    const elements = elementsOf('reduce', items);
    const combine = functionArgument('collection.reduce', callback);
    const [first] = elements;
    let result: Value = initial !== undefined ? initial : first ? first[0] : UNDEFINED;
    for (const [value, key] of initial === undefined ? elements.slice(1) : elements) {
      result = caller.call(combine, [result, value, key], true);
    }
    return result;
  }),
};

function predicate(
  name: string,
  finish: (found: readonly (readonly [Value, boolean])[]) => Value,
): NativeFunction {
  return new NativeFunction(`collection.${name}`, [2, 2], (args, caller) => {
    const found = [...judged(name, args, caller)];
    caller.allocate(found.length);
    return finish(found);
  });
}

/** Yields the elements, each with the result of the predicate. */
function* judged(
  name: string,
  [items, callback]: readonly Value[],
  caller: RunContext,
): Generator<[Value, boolean]> {
  const elements = elementsOf(name, items);
  const test = functionArgument(`collection.${name}`, callback);
  for (const [value, key] of elements) {
    const isFound = caller.call(test, [value, key], true);
    if (typeof isFound !== 'boolean') {
      throw new NativeFault(`${name} predicate must return boolean value, got ${typeName(isFound)}`);
    }
    yield [value, isFound];
  }
}

/** Returns values with their indexes or keys. */
function elementsOf(name: string, items: Value | undefined): readonly (readonly [Value, Value])[] {
  if (Array.isArray(items)) return items.map((value, index) => [value, BigInt(index)]);
  if (items instanceof MapValue) return [...items.entries].map(([key, value]) => [value, key]);
  throw unexpected(`collection.${name}`, 'a list or a map', items);
}

/** Whether a map has all entries of another one. */
function matches(value: Value, pattern: MapValue, depth: number): boolean {
  walkTo(depth);
  if (!(value instanceof MapValue)) return false;
  return [...pattern.entries].every(([key, wanted]) => {
    const entry = value.get(key);
    if (entry === undefined || entry instanceof Undefined) return false;
    if (wanted instanceof MapValue) return matches(entry, wanted, depth + 1);
    return isEqual(entry, wanted) === true;
  });
}
