import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** In bytes. Servers take no larger requests, and no policy comes near. */
const LONGEST = 32 * 1024 * 1024;
const CHUNK = 1024 * 1024;
const STANDARD_INPUT = 0;

/**
 * Reads a file that the user named, which may be a pipe such as `<(git show main:ops.hcl)`.
 *
 * @param longest in bytes.
 * @throws Error if it cannot be read, is longer (devices have no end), or is not in UTF-8: bytes that cannot be decoded would
 * change the text.
 */
export function readTextFile(path: string, longest = LONGEST): string {
  return textOf(readBytes(path, longest));
}

/**
 * Reads the standard input to its end.
 *
 * @throws Error as {@link readTextFile}
 */
export function readStandardInput(longest = LONGEST): string {
  return textOf(readAll(STANDARD_INPUT, longest));
}

/**
 * Reads the bytes of a file, whatever they are.
 *
 * @throws Error if it cannot be read, or has more than 32 MiB.
 */
export function readBytes(path: string, longest = LONGEST): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    return readAll(descriptor, longest);
  } finally {
    closeSync(descriptor);
  }
}

function readAll(descriptor: number, longest: number): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; ;) {
    const chunk = Buffer.alloc(CHUNK);
    const read = readSync(descriptor, chunk);
    if (read === 0) return Buffer.concat(chunks);
    length += read;
    if (length > longest) throw new Error(`the file has more than ${longest / CHUNK} MiB`);
    chunks.push(chunk.subarray(0, read));
  }
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error('the file is not UTF-8 text');
  return bytes.toString('utf8');
}

/**
 * Whether a file that was found in a folder is one, links followed: nobody may ever write to a pipe. A link that leads
 * nowhere, or round in a circle, counts as one, so that reading it says so.
 */
export function isPlainFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
}
