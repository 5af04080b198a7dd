import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { kindOf } from './kind';
import { FileRefusedError } from './refused';

const OPEN_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The flags to open a file that may have been replaced: a link is not followed, and a pipe is not
 * waited for. Windows does not have these flags.
 */
export const OPEN_IN_PLACE = OPEN_WITHOUT_WAITING | (constants.O_NOFOLLOW ?? 0);

const MEBIBYTE = 1024 * 1024;
/** The texts for the usual errors of the file system, by their codes. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'this user is not permitted to read it',
  ELOOP: 'its links lead in a circle',
};
const CHUNK = MEBIBYTE;

/**
 * Returns the content of a file. The path may be a link to it.
 *
 * @param longest in bytes.
 * @throws FileRefusedError if it is not a file, such as a pipe or a device, or is longer.
 * @throws Error of the file system if it cannot be opened or read.
 */
export function readPlainFile(path: string, longest: number): Buffer {
  return inWords(() => readOpened(openSync(path, OPEN_WITHOUT_WAITING), longest));
}

/**
 * Runs an action of the file system. If it fails, the message of the error is the reason as text;
 * the code stays.
 */
export function inWords<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw Object.assign(error as Error, { message: reasonOf(error as Error) });
  }
}

/** Returns why a file cannot be read. For rare errors, this is the message of the system. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  return REASONS[error.code ?? ''] ?? error.message;
}

/**
 * Returns the content of a file that was written to exactly this path. A link is refused, because
 * its target may be any file.
 *
 * @param longest in bytes.
 * @returns undefined if there is no file.
 * @throws FileRefusedError if it is not a file, or is longer.
 * @throws Error of the file system if it cannot be opened or read.
 */
export function readFileInPlace(path: string, longest: number): Buffer | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  requireFile(stat);
  return readOpened(openSync(path, OPEN_IN_PLACE), longest);
}

/**
 * Returns all that can be read from a descriptor, which may be a pipe.
 *
 * @param longest in bytes.
 * @throws FileRefusedError if there is more: devices have no end, and the sizes of some files are
 *   reported as 0.
 */
export function readToEnd(descriptor: number, longest: number): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; ;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, longest + 1 - length));
    const read = readSync(descriptor, chunk);
    if (read === 0) return Buffer.concat(chunks);
    length += read;
    if (length > longest) throw new FileRefusedError(`it has more than ${sizeText(longest)}`);
    chunks.push(chunk.subarray(0, read));
  }
}

/** Returns the names in the folder of a misspelt file; none if there is no folder. */
export function namesBeside(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path));
  } catch {
    return [];
  }
}

/**
 * Whether a path found in a folder leads to a file. A link to nowhere, or in a circle, counts as a
 * file, so that reading it reports the reason.
 */
export function isPlainFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
}

function readOpened(descriptor: number, longest: number): Buffer {
  try {
    const stat = fstatSync(descriptor);
    requireFile(stat);
    if (stat.size > longest) {
      throw new FileRefusedError(`it has ${stat.size} bytes; allowed: at most ${sizeText(longest)}`);
    }
    return readToEnd(descriptor, longest);
  } finally {
    closeSync(descriptor);
  }
}

function sizeText(bytes: number): string {
  return bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${bytes} bytes`;
}

function requireFile(stat: Stats): void {
  if (!stat.isFile()) throw new FileRefusedError(`it is ${kindOf(stat)}, not a file`);
}
