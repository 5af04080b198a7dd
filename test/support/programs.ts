import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const CURL_STAND_IN = join(__dirname, 'stand-ins', 'curl.mjs');

/**
 * Where a program is: in the PATH, unless it is named by its own path.
 *
 * @throws Error where this machine does not have it.
 */
export function programPath(name: string): string {
  const found = findProgram(name);
  if (found === undefined) throw new Error(`${name} is not on this machine, and this test uses it`);
  return found;
}

/** What is to be run as curl: the machine's own, or on machines without one what our pages and pipelines need of it. */
export function curlCommand(): string {
  const own = findProgram('curl');
  return own === undefined ? `"${process.execPath}" "${CURL_STAND_IN}"` : `"${own}"`;
}

/** Returns where a program is, like {@link programPath}, or nothing. */
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
