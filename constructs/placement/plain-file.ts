import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
  type Stats,
} from 'node:fs';
import { cannotRead } from '../private/messages';

/** In bytes. Servers take no larger requests. */
const LONGEST = 32 * 1024 * 1024;

/** Follows no link and waits for no pipe, should a file have been exchanged for one. Windows does not have these flags. */
export const OPEN_AS_IT_IS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OPEN_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Returns the text of a file that somebody named. It may be a link.
 *
 * @param longest in bytes.
 * @param refuse returns the error for a reason.
 * @throws Error if it is not a file, or is longer.
 */
export function readNamedFile(
  path: string,
  longest = LONGEST,
  refuse: (reason: string) => Error = (reason) => cannotRead(path, reason),
): string {
  requireFile(statSync(path), refuse);
  return readOpened(openSync(path, OPEN_WITHOUT_WAITING), longest, refuse);
}

/**
 * Returns the text of a file below the output folder. A link is refused: its target may be any file.
 *
 * @param refuse returns the error for a reason.
 * @returns undefined if there is nothing.
 */
export function readOutputFile(
  path: string,
  longest: number,
  refuse: (reason: string) => Error,
): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  requireFile(stat, refuse);
  return readOpened(openSync(path, OPEN_AS_IT_IS), longest, refuse);
}

function readOpened(descriptor: number, longest: number, refuse: (reason: string) => Error): string {
  try {
    const stat = fstatSync(descriptor);
    requireFile(stat, refuse);
    if (stat.size > longest) throw refuse(`it has ${stat.size} bytes; allowed: at most ${longest}`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function requireFile(stat: Stats, refuse: (reason: string) => Error): void {
  if (!stat.isFile()) throw refuse(`it is ${kindOf(stat)}, not a file`);
}

/** Returns the kind of something in the place of a file or folder, for messages: `a link`. */
export function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isDirectory()) return 'a folder';
  return stat.isFile() ? 'a file' : 'neither a file nor a folder';
}
