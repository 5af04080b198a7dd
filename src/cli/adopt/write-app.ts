import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder, reasonOf } from '../../files';
import { visible } from '../../text';
import { UserError } from '../errors';
import type { Files } from './app/stack-files';

/**
 * Writes an app into a folder, which is created if it does not exist. The files are written to a
 * temporary folder beside it first, so that the folder contains all of them or none.
 *
 * @throws UserError if part of the app already exists in the folder, or cannot be written. No file
 *   is written then.
 */
export function writeApp(folder: string, files: Files): void {
  const target = resolve(folder);
  const present = checkFree(folder, files);
  const draft = join(present ? target : dirname(target), `.${basename(target)}-${process.pid}`);
  try {
    makeFolder(dirname(draft));
    mkdirSync(draft);
    writeFiles(draft, files);
    if (present) moveEntries(draft, target);
    else renameSync(draft, target);
  } catch (error) {
    throw new UserError(
      `${visible(`the app could not be written to ${folder}: ${reasonOf(error as Error)}`)}\n` +
        'Nothing was written. Name a folder that can be written with --output.',
    );
  } finally {
    remove(draft);
  }
}

/**
 * @returns whether the folder exists.
 * @throws UserError if it contains part of the app.
 */
function checkFree(folder: string, files: Files): boolean {
  if (!existsSync(folder)) return false;
  if (!statSync(folder).isDirectory()) {
    throw new UserError(
      `${visible(folder)} is not a folder\nNothing was written. Name another one with --output.`,
    );
  }
  const entries = new Set(Object.keys(files).map((path) => path.split('/')[0]!));
  const taken = [...entries].filter((entry) => existsSync(join(folder, entry)));
  if (taken.length === 0) return true;
  throw new UserError(
    `${visible(folder)} already contains: ${taken.join(', ')}\n` +
      'Nothing was written. Name another folder with --output, or remove these.',
  );
}

function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    makeFolder(dirname(join(folder, path)));
    writeFileSync(join(folder, path), text);
  }
}

/** Moves the contents of a folder into another one: all of them or none. */
function moveEntries(from: string, to: string): void {
  const moved: string[] = [];
  try {
    for (const entry of readdirSync(from)) {
      renameSync(join(from, entry), join(to, entry));
      moved.push(entry);
    }
  } catch (error) {
    for (const entry of moved) remove(join(to, entry));
    throw error;
  }
}

/** A file that cannot be removed stays, so that the original reason is reported. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    return;
  }
}
