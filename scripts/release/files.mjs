/** Writes the files of a release. */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function write(folder, name, content) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  // An earlier file may be a hard link. It is removed, so that the linked files in other folders do
  // not change.
  rmSync(file, { force: true });
  writeFileSync(file, content);
  return file;
}

export function writeJson(folder, name, value) {
  return write(folder, name, `${JSON.stringify(value, null, 2)}\n`);
}

/** Returns the content of a file of an earlier release, to which the new release is added. */
export function readJson(folder, name, otherwise) {
  const file = join(folder, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise;
}

/**
 * Creates a hard link to a file in another folder, or copies the file if the file system has no
 * links.
 */
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
