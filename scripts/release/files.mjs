/** Writes the files of a release. */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function write(folder, name, content) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  // An earlier file may have further names in other folders.
  rmSync(file, { force: true });
  writeFileSync(file, content);
  return file;
}

export function writeJson(folder, name, value) {
  return write(folder, name, `${JSON.stringify(value, null, 2)}\n`);
}

/** Returns what a file of an earlier release says, so that the new one stands beside it. */
export function readJson(folder, name, otherwise) {
  const file = join(folder, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise;
}

/** Gives a file a second name in another folder, or copies it where the file system cannot. */
export function place(file, folder, name) {
  const target = join(folder, name);
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { force: true });
  try {
    linkSync(file, target);
  } catch {
    copyFileSync(file, target);
  }
}
