/** Files as they were in a revision of a Git repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../../files';
import { visible } from '../../../text';
import { UserError } from '../../errors';

/**
 * Matches a file or folder in a revision, as in Git: `main:policies`, or `main:./policies` relative
 * to the current folder.
 */
const SOURCE = /^([^:\s-][^:\s]+):(?!\/)(.*)$/;
/**
 * Matches two revisions, as in Git: `main..HEAD`, or `main..`. Git has no paths such as `a/../b`.
 */
const RANGE = /^([^:\s.-](?:[^:\s.]|\.(?!\.))*)(?<!\/)\.\.(?![./])([^:\s]*)$/;
/** The maximum size of all files together, in bytes. */
const LONGEST = 64 * 1024 * 1024;
const MOST_MILLISECONDS = 60_000;
const FILE = '100';

/** Whether a text that is not a path names a file or folder in a revision. */
export function isInRevision(source: string): boolean {
  return SOURCE.test(source);
}

/** Returns the same path in two revisions, if the text names two; otherwise `undefined`. */
export function sidesOfRange(range: string, path = ''): readonly [string, string] | undefined {
  if (existsSync(range)) return undefined;
  const [, old, now] = RANGE.exec(range) ?? [];
  return old === undefined ? undefined : [`${old}:./${path}`, `${now || 'HEAD'}:./${path}`];
}

/**
 * Writes the files of a revision to a temporary folder, and removes them after their use.
 *
 * @param use receives the path of the file, or of the folder.
 * @throws UserError if Git does not find them, or they are too large.
 */
export function withRevision<T>(source: string, use: (path: string) => T): T {
  const isFolder = typeOf(source) === 'tree';
  const object = idOf(source);
  const folder = mkdtempSync(join(tmpdir(), 'vault-admin-'));
  try {
    const path = isFolder ? folder : join(folder, basename(source.slice(source.indexOf(':') + 1)));
    if (isFolder) writeTree(object, folder, source);
    else writeFileSync(path, git(['cat-file', 'blob', object], source));
    return use(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Calls a function in a temporary folder that contains a folder of a revision under the name
 * `main:policies`, so that shown paths are those of the revision.
 *
 * @param source the folder, or a file in it.
 * @param use receives the path of the file or folder there. It must be synchronous.
 * @throws UserError if Git does not find it, or it is too large.
 */
export function inRevision<T>(source: string, use: (path: string) => T): T {
  const [, revision = '', path = ''] = SOURCE.exec(source) ?? [];
  const isFolder = typeOf(source) === 'tree';
  const inner = isFolder ? path : dirname(path);
  const isRelative = /^\.\.?(?:\/|$)/.test(path);
  const tree = `${revision}:${isRelative ? `${inner}/` : inner === '.' ? '' : inner}`;
  const name = `${revision}:${inner === '' ? '.' : inner}`;
  const home = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'vault-admin-'));
  try {
    writeTree(idOf(tree), join(folder, name), source);
    process.chdir(folder);
    return use(isFolder ? name : join(name, basename(path)));
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  }
}

function typeOf(source: string): string {
  return git(['cat-file', '-t', source], source).toString().trim();
}

function idOf(source: string): string {
  return git(['rev-parse', '--verify', source], source).toString().trim();
}

/**
 * Writes the files of a tree. Links are left out, because they would lead to files outside of the
 * revision.
 */
function writeTree(tree: string, folder: string, source: string): void {
  const lines = git(['ls-tree', '-r', '-z', tree], source).toString().split('\0');
  const files = lines.flatMap((line) => {
    const [facts = '', path = ''] = line.split('\t');
    const [mode = '', , object = ''] = facts.split(' ');
    const isSafe = path.split('/').every((name) => !['', '.', '..'].includes(name));
    return mode.startsWith(FILE) && isSafe ? [{ object, path }] : [];
  });
  const objects = files.map(({ object }) => `${object}\n`).join('');
  let rest = git(['cat-file', '--batch'], source, objects);
  for (const { path } of files) {
    const start = rest.indexOf('\n') + 1;
    const [, , size] = rest.subarray(0, start).toString().split(' ');
    const file = join(folder, path);
    makeFolder(dirname(file));
    writeFileSync(file, rest.subarray(start, start + Number(size)));
    rest = rest.subarray(start + Number(size) + 1);
  }
}

function git(args: readonly string[], source: string, input = ''): Buffer {
  try {
    return execFileSync('git', args, {
      input,
      maxBuffer: LONGEST,
      timeout: MOST_MILLISECONDS,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: Buffer };
    const [reason = message] = stderr?.toString().split('\n').filter(Boolean) ?? [];
    throw new UserError(`${visible(source)} could not be read from the Git repository: ${visible(reason)}`);
  }
}
