import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Returns the content of a file whose path comes from a request or the environment. A pipe or a device is
 * refused, never waited for.
 *
 * @param longest the size that is allowed, in bytes.
 * @throws Error with a `code` if it is not a file, is longer, or cannot be read.
 */
export function readSmallFile(path: string, longest: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'not a file' });
    if (stat.size > longest)
      throw Object.assign(new Error(`${path} is too large`), { code: `larger than ${longest} bytes` });
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
