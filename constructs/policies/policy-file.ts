import { basename, dirname, join, resolve } from 'node:path';
import { namesBeside, readPlainFile } from '../../src/files';
import { nearestOf } from '../../src/text';
import { appError, isForeignApp } from '../private/app-language';
import { checkProps, text } from '../private/expectations';
import { cannotRead, fileMissing } from '../private/messages';
import type { Refusal } from '../private/report';

/** The maximum size in bytes: servers accept no larger requests. */
const LONGEST = 32 * 1024 * 1024;

const PATH = text('the path of a file', "'policies/app.hcl'");

/**
 * The text of a file. If the file cannot be used, the text is empty and `refusal` has the reason.
 */
interface PolicyFile {
  readonly text: string;
  readonly refusal?: Refusal;
}

/**
 * Reads a policy's file.
 *
 * @throws Error in an app in another language, if it is not a file, is too long or cannot be read.
 */
export function readPolicyFile(path: string): PolicyFile {
  checkProps('fromFile', { path }, { path: PATH });
  try {
    return { text: readPlainFile(path, LONGEST).toString() };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem =
      code === 'ENOENT' ? fileMissing(path, resolve(path), similarFile(path)) : cannotRead(path, message);
    if (isForeignApp()) throw appError(problem);
    return { text: '', refusal: { problem, trace: new Error() } };
  }
}

/** Returns the path of a file in the same folder whose name is similar. */
function similarFile(path: string): string | undefined {
  const name = nearestOf(basename(path), namesBeside(path));
  return name && join(dirname(path), name);
}
