import { closeSync, constants, fchmodSync, mkdirSync, openSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type JsonObject, stringifyJson } from '../primitives/json';
import type { DeviceSettings } from './settings';

const FOLDER_MODE = 0o700;

/**
 * Writes one entry where a device's settings say.
 *
 * @param folder the only one that files may be written to; `undefined` for none.
 * @throws Error with the reason if it cannot be written.
 */
export function writeEntry(
  { target, mode, prefix }: DeviceSettings,
  folder: string | undefined,
  entry: () => JsonObject,
): void {
  if (target === 'discard') return;
  const line = `${prefix}${stringifyJson(entry())}\n`;
  if (target === 'stdout') process.stdout.write(line);
  else append(fileInside(folder, target), mode, line);
}

/** The file is opened for every entry, so that it may be rotated at any time. */
function append(file: string, mode: number, line: string): void {
  // A pipe that nobody reads would stop the whole emulator.
  const flags =
    constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const descriptor = openSync(file, flags, mode === 0 ? undefined : mode);
  try {
    if (mode !== 0) fchmodSync(descriptor, mode);
    writeSync(descriptor, line);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The real path of a file, in a folder that exists afterwards.
 *
 * @throws Error if it is not inside the folder, links followed.
 */
function fileInside(folder: string | undefined, path: string): string {
  if (folder === undefined) {
    throw new Error(
      'the emulator writes audit logs only inside the folder given with auditFolder (--audit-folder), and none is given',
    );
  }
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const root = realpathSync(folder);
  const file = resolve(root, path);
  // What is written with the folder's other name, a link to it, is inside as well.
  const below = relative(isInside(resolve(folder), file) ? resolve(folder) : root, file);
  const wanted = resolve(root, below);
  if (!isInside(root, wanted) || !isInside(root, existing(dirname(wanted)))) {
    throw new Error(`the path is outside of ${folder}, the folder that the emulator may write audit logs to`);
  }
  mkdirSync(dirname(wanted), { recursive: true, mode: FOLDER_MODE });
  return join(realpathSync(dirname(wanted)), basename(wanted));
}

/** The real path of the nearest folder above that exists. */
function existing(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return existing(parent);
  }
}

function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || (!below.startsWith('..') && !isAbsolute(below));
}
