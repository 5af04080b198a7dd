/**
 * Shares results that are expensive to compute between files of tests. A folder keeps them during a
 * run of Jest.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = 'FOLDER_SHARED_BY_TESTS';
const DEADLINE_MS = 240_000;
const POLL_MS = 50;
const NEVER_CHANGED = new Int32Array(new SharedArrayBuffer(4));

/** Creates the folder, before all tests. */
export function makeSharedFolder(): void {
  process.env[FOLDER] = mkdtempSync(join(tmpdir(), 'shared-by-tests-'));
}

/** Removes the folder, after all tests. */
export function removeSharedFolder(): void {
  rmSync(process.env[FOLDER]!, { recursive: true, force: true });
}

/**
 * Returns the settings of Go's garbage collector from Jest's configuration, for programs that tests
 * start. Empty outside of Jest.
 */
export function sharedEnvironment(): Readonly<Record<string, string>> {
  const { GOGC, GOMEMLIMIT } = process.env;
  return {
    ...(GOGC && { GOGC }),
    ...(GOMEMLIMIT && { GOMEMLIMIT }),
  };
}

/**
 * Returns a shared result. The first file of tests that requests it, in any process, computes it
 * with `make`. Blocks this process until the result exists, so that a file can use it to choose its
 * tests.
 *
 * @param make returns a value that can be written as JSON. Its folder exists until all tests have
 *   ended
 */
export function sharedByTests<T>(name: string, make: (folder: string) => T): T {
  const folder = join(process.env[FOLDER]!, name);
  const result = join(folder, 'result.json');
  for (const ends = Date.now() + DEADLINE_MS; ;) {
    if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8')) as T;
    if (isFirst(folder)) return makeFirst(folder, result, make);
    if (Date.now() > ends) throw new Error(`another file of tests could not make ${name}, or takes too long`);
    Atomics.wait(NEVER_CHANGED, 0, 0, POLL_MS);
  }
}

function makeFirst<T>(folder: string, result: string, make: (folder: string) => T): T {
  try {
    const made = make(folder);
    // The file gets its name when it is complete, because others read it as soon as it exists.
    writeFileSync(`${result}.draft`, JSON.stringify(made));
    renameSync(`${result}.draft`, result);
    return made;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
