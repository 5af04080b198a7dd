import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

/** What files of ACL policies are called in folders. A file that is named itself may be called anything. */
export const ACL_EXTENSIONS: readonly string[] = ['.hcl', '.json', '.policy'];
/** Sentinel's tests and settings, beside policies. */
const OTHER_FILES = /^(sentinel\.hcl|package(-lock)?\.json|tsconfig.*\.json|.*\.tf\.json)$/;
const OTHER_FOLDERS = ['node_modules', 'test', '.git'];

/** The files of ACL policies in a folder and in the folders below it. */
export function aclFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return OTHER_FOLDERS.includes(entry.name) ? [] : aclFilesIn(path);
      return ACL_EXTENSIONS.includes(extname(entry.name)) && !OTHER_FILES.test(entry.name) ? [path] : [];
    });
}
