import { visible } from '../text';
import { UserError } from './errors';

/**
 * Runs a function that reads a file which the user named.
 *
 * @param name the file for the message, after its option if it has one: `--setup: first-day.json`.
 * @throws UserError with the reason if it cannot be read.
 */
export function readNamed<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UserError(visible(`${name} cannot be read: ${(error as Error).message}`));
  }
}
