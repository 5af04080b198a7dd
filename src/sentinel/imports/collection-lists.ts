import { functionArgument, listArgument, unexpected } from '../values/arguments';
import { isEqual, isNumber } from '../values/compare';
import {
  keyOf,
  NativeFault,
  NativeFunction,
  typeName,
  type RunContext,
  type Key,
  type List,
  type Value,
} from '../values/value';
import { lookAt } from '../values/walks';

export const LISTS: Readonly<Record<string, Value>> = {
  concat: onLists('concat', 2, (lists) => lists.flat()),
  difference: onLists('difference', 1, difference),
  diff: onLists('diff', 1, difference),
  intersection: onLists('intersection', 1, ([first = [], ...others], caller) =>
    unique(first, caller).filter((element) =>
      others.every((other) => new Members(other, caller).has(element)),
    ),
  ),
  union: onLists('union', 1, (lists, caller) => unique(lists.flat(), caller)),
  sort: new NativeFunction('lists.sort', [2, 2], ([list, comparer], caller) => {
    const elements = listArgument('lists.sort', list);
    const compare = functionArgument('lists.sort', comparer);
    caller.allocate(elements.length);
    return [...elements].sort((a, b) => {
      const order = caller.call(compare, [a, b]);
      if (isNumber(order)) return Number(order);
      if (typeof order === 'boolean') return order ? -1 : 1;
      throw new NativeFault(`lists.sort: the function must return a number, got ${typeName(order)}`);
    });
  }),
  sum: new NativeFunction('lists.sum', [1, 1], ([list]) => {
    let sum = 0;
    const elements = listArgument('lists.sum', list);
    lookAt(4 * elements.length);
    for (const element of elements) {
      if (!isNumber(element)) throw unexpected('lists.sum', 'a list of numbers', element);
      sum += Number(element);
    }
    return sum;
  }),
};

function onLists(
  name: string,
  fewest: number,
  run: (lists: readonly List[], caller: RunContext) => Value,
): NativeFunction {
  return new NativeFunction(`lists.${name}`, [fewest, Infinity], (args, caller) => {
    const lists = args.map((each) => listArgument(`lists.${name}`, each));
    caller.allocate(lists.reduce((size, list) => size + list.length, 0));
    return run(lists, caller);
  });
}

function difference([first = [], ...others]: readonly List[], caller: RunContext): List {
  const removed = new Members(others.flat(), caller);
  return first.filter((element) => !removed.has(element));
}

function unique(list: List, caller: RunContext): List {
  const seen = new Members([], caller);
  return list.filter((element) => seen.add(element));
}

/** A set of values. A value that can be a key is found by its key, any other by comparison. */
class Members {
  readonly #keys = new Set<Key | null>();
  readonly #others: Value[] = [];
  readonly #caller: RunContext;

  constructor(list: List, caller: RunContext) {
    this.#caller = caller;
    for (const element of list) this.add(element);
  }

  has(element: Value): boolean {
    const key = element === null ? null : keyOf(element);
    if (key !== undefined) return this.#keys.has(key);
    this.#caller.allocate(this.#others.length);
    return this.#others.some((other) => isEqual(other, element) === true);
  }

  /** Adds a value, and returns whether it is new. */
  add(element: Value): boolean {
    if (this.has(element)) return false;
    const key = element === null ? null : keyOf(element);
    if (key === undefined) this.#others.push(element);
    else this.#keys.add(key);
    return true;
  }
}
