import type { Stats } from 'node:fs';

/** Returns the kind of something in the place of a file or folder, for messages: `a link`. */
export function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isDirectory()) return 'a folder';
  return stat.isFile() ? 'a file' : 'neither a file nor a folder';
}
