/**
 * The number of characters or elements that V8's own functions process in about the time of a call
 * or a round of a loop.
 */
const PLACES_PER_BLOCK = 16;

declare global {
  /**
   * The counters. `counters.js` adds code that increments them, and `runtime.js` creates the
   * variable.
   */
  var $work: Work | undefined;
}

interface Work {
  blocks: number;
  places: number;
  /** Returns the number of characters or elements. */
  lengthOf(elements: unknown): number;
}

/**
 * Returns the work of a run: the calls of the project's functions, the rounds of its loops, and a
 * part of the characters and elements that V8's own functions process. The count is the same on a
 * busy machine and on an idle one.
 */
export function countedWork(run: () => unknown): number {
  const end = begin();
  try {
    run();
  } finally {
    end();
  }
  return total();
}

/**
 * Returns the work of an asynchronous run, like {@link countedWork}. Other work of the process
 * during that time is included.
 */
export async function countedWorkOf(run: () => Promise<unknown>): Promise<number> {
  const end = begin();
  try {
    await run();
  } finally {
    end();
  }
  return total();
}

function counters(): Work {
  if (typeof $work === 'undefined')
    throw new Error('a file of tests that counts work begins with a comment that has @counts-work');
  return $work;
}

function begin(): () => void {
  const work = counters();
  const restore = watchBuiltIns((places) => (work.places += places));
  work.blocks = 0;
  work.places = 0;
  return restore;
}

function total(): number {
  const { blocks, places } = counters();
  return blocks + Math.floor(places / PLACES_PER_BLOCK);
}

type BuiltIn = (this: never, ...received: never[]) => unknown;
/** Returns the number of characters or elements that a call processed. */
type Places = (call: Call) => number;
interface Call {
  readonly self: { readonly length: number };
  readonly received: readonly unknown[];
  readonly result: unknown;
  /** The index at which a regular expression began to search. */
  readonly start: number;
}

const all: Places = ({ self }) => self.length;
const made: Places = ({ result }) => (result as { readonly length: number }).length;
/** Returns the distance from the start of a search to its result. */
const searched: Places = ({ self: { length }, received: [, from = 0], result }) =>
  Math.max(0, (Number(result) < 0 ? length : Number(result)) - Number(from));
const rest: Places = ({ self: { length }, received: [, from = 0] }) => Math.max(0, length - Number(from));
const given: Places = ({ received: [elements] }) => counters().lengthOf(elements);
const text: Places = ({ received: [first] }) => String(first).length;

const matched: Places = ({ self, received: [searchedText], result, start }) => {
  const { sticky } = self as unknown as RegExp;
  const found = result as RegExpExecArray | null;
  if (found === null) return sticky ? 1 : Math.max(0, String(searchedText).length - start);
  return found.index + found[0].length - start;
};

/** V8 converts decimal digits in time that grows with the square of their number. */
const converted: Places = ({ received: [value] }) =>
  typeof value === 'string' && !value.startsWith('0') ? value.length ** 2 / PLACES_PER_BLOCK : 0;

const BUILT_INS: readonly (readonly [owner: object, places: Readonly<Record<string, Places>>])[] = [
  [
    String.prototype,
    {
      indexOf: searched,
      lastIndexOf: all,
      includes: rest,
      split: all,
      replaceAll: all,
      repeat: made,
      toLowerCase: all,
      toUpperCase: all,
      normalize: all,
      trim: all,
    },
  ],
  [
    Array.prototype,
    {
      indexOf: searched,
      includes: rest,
      join: made,
      slice: made,
      concat: made,
      flat: made,
      sort: all,
      reverse: all,
      splice: all,
      shift: all,
      unshift: all,
    },
  ],
  // V8 calls `exec` in all functions that take regular expressions.
  [RegExp.prototype, { exec: matched }],
  [Buffer, { concat: made, from: made }],
  [Buffer.prototype, { indexOf: searched, toString: made }],
  [Array, { from: given }],
  [Object, { entries: given, keys: given, values: given, fromEntries: given }],
  [globalThis, { BigInt: converted, Map: given, Set: given }],
  [JSON, { parse: text, stringify: ({ result }) => String(result).length }],
];

function watchBuiltIns(add: (places: number) => void): () => void {
  const restores = BUILT_INS.flatMap(([owner, names]) =>
    Object.entries(names).map(([name, placesOf]) => {
      const original = Object.getOwnPropertyDescriptor(owner, name)!;
      Object.defineProperty(owner, name, {
        ...original,
        value: watched(original.value as BuiltIn, (call) => add(placesOf(call))),
      });
      return () => Object.defineProperty(owner, name, original);
    }),
  );
  return () => restores.forEach((restore) => restore());
}

function watched(builtIn: BuiltIn, add: (call: Call) => void): BuiltIn {
  return new Proxy(builtIn, {
    apply(target, self: never, received: never[]) {
      const start = (self as unknown) instanceof RegExp ? (self as RegExp).lastIndex : 0;
      const result = Reflect.apply(target, self, received);
      add({ self, received, result, start });
      return result;
    },
    construct(target, received: never[], newTarget) {
      const result = Reflect.construct(target, received, newTarget) as never;
      add({ self: result, received, result, start: 0 });
      return result;
    },
  });
}
