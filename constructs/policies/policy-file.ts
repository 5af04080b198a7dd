import { basename, dirname, join, resolve } from 'node:path';
import { namesBeside, readPlainFile } from '../../src/files';
import { nearestOf } from '../../src/text';
import { checkProps, text } from '../private/expectations';
import { cannotRead, fileMissing } from '../private/messages';

/** The maximum size in bytes: servers accept no larger requests. */
const LONGEST = 32 * 1024 * 1024;

const PATH = text('the path of a file', "'policies/app.hcl'");

/**
 * Returns the text of a policy's file.
 *
 * @throws Error if it is not a file, is too long or cannot be read.
 */
export function readPolicyFile(path: string): string {
  checkProps('fromFile', { path }, { path: PATH });
  try {
    return readPlainFile(path, LONGEST).toString();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' ? fileMissing(path, resolve(path), similarFile(path)) : cannotRead(path, message);
  }
}

/** Returns the path of a file in the same folder whose name is similar. */
function similarFile(path: string): string | undefined {
  const name = nearestOf(basename(path), namesBeside(path));
  return name && join(dirname(path), name);
}
