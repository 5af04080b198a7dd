import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare global {
  /** The folders that Jest removes after the tests of this file (`runtime.js`). */
  var $temporaryFolders: string[];
}

/**
 * Creates a folder for temporary files, which Jest removes after the last hook of the file.
 *
 * @param name the beginning of the folder's name, by which people recognize it
 */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  $temporaryFolders.push(folder);
  return folder;
}
