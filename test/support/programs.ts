import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const CURL_STAND_IN = join(__dirname, 'stand-ins', 'curl.mjs');

/**
 * Returns the path of a program: from the PATH, unless the name is already a path.
 *
 * @throws Error if this machine does not have it.
 */
export function programPath(name: string): string {
  const found = findProgram(name);
  if (found === undefined) throw new Error(`${name} is not on this machine, and this test uses it`);
  return found;
}

/**
 * Returns the command to run as curl: the curl of the machine, or a replacement with the options
 * that our pages and pipelines use.
 */
export function curlCommand(): string {
  const own = findProgram('curl');
  return own === undefined ? `"${process.execPath}" "${CURL_STAND_IN}"` : `"${own}"`;
}

/** Returns the path of a program, like {@link programPath}, or `undefined`. */
export function findProgram(name: string): string | undefined {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => resolve(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
