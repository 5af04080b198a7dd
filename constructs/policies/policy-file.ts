import { readPlainFile } from '../../src/files';
import { cannotRead } from '../private/messages';

/** The maximum size in bytes: servers accept no larger requests. */
const LONGEST = 32 * 1024 * 1024;

/**
 * Returns the text of a policy's file.
 *
 * @throws Error if it is not a file, is too long or cannot be read.
 */
export function readPolicyFile(path: string): string {
  try {
    return readPlainFile(path, LONGEST).toString();
  } catch (error) {
    throw cannotRead(path, (error as Error).message);
  }
}
