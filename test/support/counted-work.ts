import { Session, type Profiler } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

const OPTIMIZERS = ['turbofan', 'maglev', 'sparkplug'];
/**
 * The number of characters or elements that V8's own functions process in about the time of a
 * block.
 */
const PLACES_PER_BLOCK = 16;

/**
 * Counts the blocks of the project's code that are executed, and the characters and elements that
 * V8's own functions search, copy, join and sort for it. The count is as exact on a busy machine as
 * on an idle one.
 */
export class WorkCounter {
  readonly #session = new Session();
  readonly #restore: () => void;
  #places = 0;

  constructor() {
    // Optimized code would not be counted.
    for (const name of OPTIMIZERS) setFlagsFromString(`--no-${name}`);
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    this.#restore = watchBuiltIns((places) => (this.#places += places));
  }

  /**
   * Returns the work of a run. V8 creates the counters of a function when it compiles it, so that a
   * first run is counted only in part.
   */
  count(run: () => unknown): number {
    this.#blocks();
    this.#places = 0;
    run();
    return this.#blocks() + Math.floor(this.#places / PLACES_PER_BLOCK);
  }

  /** As {@link count}, for a run that ends later. Other work of the process at that time counts as well. */
  async countOf(run: () => Promise<unknown>): Promise<number> {
    this.#blocks();
    this.#places = 0;
    await run();
    return this.#blocks() + Math.floor(this.#places / PLACES_PER_BLOCK);
  }

  close(): void {
    this.#restore();
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
    for (const name of OPTIMIZERS) setFlagsFromString(`--${name}`);
  }

  #blocks(): number {
    let blocks = 0;
    this.#session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      blocks = result.filter(isOfProject).reduce(addBlocks, 0);
    });
    return blocks;
  }
}

/** Runs a function twice, and returns the work of the second run. */
export function countedWork(run: () => unknown): number {
  const counter = new WorkCounter();
  try {
    run();
    return counter.count(run);
  } finally {
    counter.close();
  }
}

/** As {@link countedWork}, for a function that ends later. */
export async function countedWorkOf(run: () => Promise<unknown>): Promise<number> {
  const counter = new WorkCounter();
  try {
    await run();
    return await counter.countOf(run);
  } finally {
    counter.close();
  }
}

function isOfProject({ url }: Profiler.ScriptCoverage): boolean {
  return !url.includes('node_modules') && !url.endsWith(__filename);
}

function addBlocks(sum: number, { functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((blocks, { count }) => blocks + count, sum);
}

type BuiltIn = (this: never, ...received: never[]) => unknown;
/** Returns the number of characters or elements that a call processed. */
type Places = (self: { readonly length: number }, received: readonly unknown[], result: unknown) => number;

const all: Places = ({ length }) => length;
const made: Places = (_, __, result) => (result as { readonly length: number }).length;
/** Returns the distance from the start of a search to its result. */
const searched: Places = ({ length }, [, from = 0], result) =>
  Math.max(0, (Number(result) < 0 ? length : Number(result)) - Number(from));
const rest: Places = ({ length }, [, from = 0]) => Math.max(0, length - Number(from));

/** V8 converts decimal digits in time that grows with the square of their number. */
const converted: Places = (_, [value]) =>
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
      sort: all,
      reverse: all,
      splice: all,
      shift: all,
      unshift: all,
    },
  ],
  [globalThis, { BigInt: converted }],
  [JSON, { parse: (_, [text]) => String(text).length, stringify: (_, __, text) => String(text).length }],
];

function watchBuiltIns(add: (places: number) => void): () => void {
  const restores = BUILT_INS.flatMap(([owner, names]) =>
    Object.entries(names).map(([name, places]) => {
      const original = Object.getOwnPropertyDescriptor(owner, name)!;
      const builtIn = original.value as BuiltIn;
      Object.defineProperty(owner, name, {
        ...original,
        value: new Proxy(builtIn, {
          apply(target, self: never, received: never[]) {
            const result = Reflect.apply(target, self, received);
            add(places(self, received, result));
            return result;
          },
        }),
      });
      return () => Object.defineProperty(owner, name, original);
    }),
  );
  return () => restores.forEach((restore) => restore());
}
