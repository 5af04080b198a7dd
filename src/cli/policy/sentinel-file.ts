import { readTextFile } from '../../policy/text-file';
import { visible } from '../../text';
import { UserError } from '../errors';

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

/**
 * Reads a file for the policies of Sentinel.
 *
 * @throws the error of the file system; UserError if the file is too large, or not in UTF-8.
 */
export function readSentinelFile(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    if (isFileError(error)) throw error;
    throw new UserError(visible(`${path} cannot be read: ${(error as Error).message}`));
  }
}
