import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isPlainFile } from '../../files';

const SUFFIX = '.sentinel';

/** A policy with the files of its tests. */
export interface PolicyFile {
  readonly path: string;
  readonly cases: readonly string[];
}

/**
 * Returns the policies at some paths: files, and every `*.sentinel` in folders that is not part of
 * a test.
 *
 * @throws Error for a path that does not exist.
 */
export function findPolicies(paths: readonly string[]): readonly PolicyFile[] {
  const found = paths.flatMap((path) => (statSync(path).isDirectory() ? policiesIn(path) : [path]));
  return [...new Set(found)].map((path) => ({ path, cases: casesOf(path) }));
}

function policiesIn(folder: string): readonly string[] {
  return entriesOf(folder).flatMap(({ path, isFolder }) => {
    if (isFolder) return isSkipped(path) || basename(path) === 'test' ? [] : policiesIn(path);
    return path.endsWith(SUFFIX) && isPlainFile(path) ? [path] : [];
  });
}

function isSkipped(path: string): boolean {
  const name = basename(path);
  return name === 'node_modules' || (name.startsWith('.') && name !== '.' && name !== '..');
}

function entriesOf(folder: string): readonly { path: string; isFolder: boolean }[] {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({ path: join(folder, entry.name), isFolder: entry.isDirectory() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the test files of a policy, in the order of their names. */
function casesOf(policy: string): readonly string[] {
  const folder = join(dirname(policy), 'test', basename(policy, SUFFIX));
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /\.(?:hcl|json)$/.test(entry.name))
    .map(({ name }) => join(folder, name))
    .filter(isPlainFile)
    .sort();
}
