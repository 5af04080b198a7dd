import { NativeFault } from './value';

/*
 * Lists and maps can be shared: forty small lists, each with the one before in it twice, take 2^40 steps to walk through.
 * Whoever walks through values counts here what it looks at, and so cannot walk for ever.
 */

/** How deep lists and maps may be nested in each other where a function walks through them. */
const DEEPEST_DATA = 1000;

/** How many values one walk may look at outside of runs, where no policy says how many. */
const MOST_VALUES = 5_000_000;

/** What the run under way may still look at; what the walk under way may, if there is no run. */
let left = MOST_VALUES;
let most = MOST_VALUES;
let isRunning = false;

/** Says that a walk has come to a value at a depth; 0 where it begins. @throws NativeFault if it must not go on. */
export function walkTo(depth: number): void {
  if (depth === 0 && !isRunning) left = MOST_VALUES;
  if (depth > DEEPEST_DATA)
    throw new NativeFault(`lists and maps are nested more than ${DEEPEST_DATA} levels deep`);
  if (--left < 0)
    throw new NativeFault(`lists and maps hold more than ${most} values, shared ones counted each time`);
}

/**
 * Says that so many characters or elements are about to be looked at, of which sixteen count as one value.
 *
 * @throws NativeFault if the run has looked at too much.
 */
export function lookAt(size: number): void {
  if (!isRunning) return;
  left -= Math.ceil(size / 16 - 0.5);
  if (left < 0) throw new NativeFault('the policy was stopped: it looks at too many characters and elements');
}

/** Runs something that may look at so many values in all of its walks. */
export function withinWalks<T>(values: number, run: () => T): T {
  const before = { left, most, isRunning };
  [left, most, isRunning] = [values, values, true];
  try {
    return run();
  } finally {
    ({ left, most, isRunning } = before);
  }
}
