import { closeSync, constants, fchmodSync, openSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { makeFolder } from '../../../files';
import { type JsonObject, stringifyJson } from '../primitives/json';
import type { DeviceSettings } from './device-settings';

const FOLDER_MODE = 0o700;

/**
 * Writes one entry to the target of a device.
 *
 * @param folder the only folder that files may be written to; `undefined` for none.
 * @throws Error with the reason if the entry cannot be written.
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

/** Appends to a file. The file is opened for every entry, so that it can be rotated at any time. */
function append(file: string, mode: number, line: string): void {
  // Without O_NONBLOCK, a pipe without a reader would block the emulator.
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
 * Returns the real path of a file, and creates its folder.
 *
 * @throws Error if the file is not inside the folder after links are resolved.
 */
function fileInside(folder: string | undefined, path: string): string {
  if (folder === undefined) {
    throw new Error(
      'the emulator writes audit logs only inside the folder given with auditFolder (--audit-folder), and none is given',
    );
  }
  makeFolder(folder, FOLDER_MODE);
  const root = realpathSync(folder);
  const file = resolve(root, path);
  // If the folder is a link, paths below the link are inside the folder as well.
  const below = relative(isInside(resolve(folder), file) ? resolve(folder) : root, file);
  const wanted = resolve(root, below);
  if (!isInside(root, wanted) || !isInside(root, existing(dirname(wanted)))) {
    throw new Error(`the path is outside of ${folder}, the folder that the emulator may write audit logs to`);
  }
  makeFolder(dirname(wanted), FOLDER_MODE);
  return join(realpathSync(dirname(wanted)), basename(wanted));
}

/** Returns the real path of a folder, or of the nearest parent that exists. */
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
