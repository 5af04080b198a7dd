import { runInNewContext } from 'node:vm';

/**
 * The time limit in milliseconds. One pass over a long text takes a small part of it, and a pass
 * from each position takes hours.
 */
const MOST = 30_000;

/** Runs a function, and ends it if it hangs, also within a regular expression. */
export function withinTime<T>(run: () => T): T {
  return runInNewContext('run()', { run }, { timeout: MOST }) as T;
}
