import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** In bytes. Servers take no larger requests, and no policy comes near. */
const LONGEST = 32 * 1024 * 1024;
const CHUNK = 1024 * 1024;

/**
 * Reads a file that somebody named: also a pipe, such as `<(git show main:ops.hcl)`.
 *
 * @throws Error if it cannot be read, or has more than 32 MiB: devices have no end.
 */
export function readTextFile(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; ;) {
      const chunk = Buffer.alloc(CHUNK);
      const read = readSync(descriptor, chunk);
      if (read === 0) return Buffer.concat(chunks).toString('utf8');
      length += read;
      if (length > LONGEST) throw new Error(`the file has more than ${LONGEST / CHUNK} MiB`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a file that was found in a folder is one, links followed: nobody may ever write to a pipe. */
export function isPlainFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // A link that leads nowhere, or round in a circle.
    return false;
  }
}
