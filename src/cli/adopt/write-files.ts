import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../output/user-error';
import type { Files } from './app/stack-files';

/** How many files a message names. */
const NAMED = 10;

/**
 * Writes files into a folder, which is made where it is not there.
 *
 * @throws UserError where one of them is there already. Nothing is written then.
 */
export function writeNewFiles(folder: string, files: Files): void {
  const present = Object.keys(files).filter((path) => existsSync(join(folder, path)));
  if (present.length > 0) {
    const more = present.length > NAMED ? `, and ${present.length - NAMED} more` : '';
    throw new UserError(
      `${present.length} of the files to write are in ${folder} already: ${present.slice(0, NAMED).join(', ')}${more}\n` +
        'Nothing was written. Name a folder without them with --output, or remove them.',
    );
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: 'wx' });
  }
}
