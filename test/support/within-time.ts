import { runInNewContext } from 'node:vm';

/**
 * In milliseconds. To read a long text once takes a small part of it; to read it again from each
 * place takes hours.
 */
const MOST = 30_000;

/** Runs a function, and ends it if it hangs, also within a regular expression. */
export function withinTime<T>(run: () => T): T {
  return runInNewContext('run()', { run }, { timeout: MOST }) as T;
}
