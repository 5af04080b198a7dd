import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder, OPEN_IN_PLACE } from '../../src/files';
import { cannotPlace } from '../private/messages';
import { makeFolders } from './output-folder';

/** A version of the provider to place beside a stack. */
export interface Placement {
  readonly version: string;
  /**
   * The folder with the provider for each platform. Platforms with the same folder share a copy.
   */
  readonly folders: Readonly<Record<string, string>>;
}

const EXECUTABLE = 0o755;

/**
 * Places the provider in `folder`, for each platform. Existing files that differ from the
 * provider's are replaced. No file is written, changed or removed through a link.
 *
 * @param root the folder below which no link is followed
 * @param folder a folder below `root`. It belongs to the provider: other versions are removed
 * @throws Error if a folder between `root` and `folder` is a link or a file, or cannot be written
 * to
 */
export function placePackage(placement: Placement, root: string, folder: string): void {
  makeFolders(root, dirname(folder));
  if (unlessGone(() => isPlaced(placement, folder))) return;
  replace(folder, (built) => buildFolder(placement, built));
}

/** Returns the platform whose copy a platform uses: the first one with the same folder. */
function sharedWith({ folders }: Placement, platform: string): string {
  return Object.keys(folders).find((each) => folders[each] === folders[platform]) ?? platform;
}

/**
 * Returns the result of a function; `undefined` if its folder was moved away in the meantime,
 * because another synthesis replaces it.
 */
function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (GONE.includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** The codes of errors if a file was moved away. Another file may be in its place by now. */
const GONE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];
/** The codes of errors if a file or folder is in the way; on Windows, this is EPERM. */
const IN_THE_WAY: readonly unknown[] = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR', 'EPERM'];

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}

/** Whether `folder` contains exactly the provider. */
function isPlaced(placement: Placement, folder: string): boolean {
  const version = join(folder, placement.version);
  return (
    holdsExactly(folder, [placement.version]) &&
    holdsExactly(version, Object.keys(placement.folders)) &&
    Object.entries(placement.folders).every(([platform, source]) => {
      const place = join(version, platform);
      const shared = sharedWith(placement, platform);
      return (shared !== platform && isLinkTo(shared, place)) || isCopy(source, place);
    })
  );
}

function isCopy(source: string, folder: string): boolean {
  const entries = readdirSync(source, { withFileTypes: true });
  return (
    holdsExactly(
      folder,
      entries.map(({ name }) => name),
    ) &&
    entries.every((entry) => {
      const [from, to] = [join(source, entry.name), join(folder, entry.name)];
      return entry.isDirectory() ? isCopy(from, to) : isExecutableCopy(to, readFileSync(from));
    })
  );
}

/** Whether a path is a folder (not a link to a folder) with exactly these names. */
function holdsExactly(folder: string, names: readonly string[]): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  return readdirSync(folder).sort().join('/') === [...names].sort().join('/');
}

function isLinkTo(target: string, place: string): boolean {
  return lstatSync(place).isSymbolicLink() && readlinkSync(place) === target;
}

/**
 * Whether a path is a file with this content, and neither a link nor a hard link. Makes such a file
 * executable, because a pipeline may have dropped this permission when it passed the folder on.
 */
function isExecutableCopy(file: string, content: Buffer): boolean {
  if (!isLoneFile(lstatSync(file), content)) return false;
  const descriptor = openSync(file, OPEN_IN_PLACE);
  try {
    const stat = fstatSync(descriptor);
    if (!isLoneFile(stat, content) || !readFileSync(descriptor).equals(content)) return false;
    // The permissions of an executable file are not changed, because only its owner could do that.
    if ((stat.mode & 0o111) !== 0o111) fchmodSync(descriptor, EXECUTABLE);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function isLoneFile(stat: Stats, { length }: Buffer): boolean {
  return stat.isFile() && stat.nlink === 1 && stat.size === length;
}

function buildFolder(placement: Placement, folder: string): void {
  const version = join(folder, placement.version);
  makeFolder(version);
  for (const [platform, source] of Object.entries(placement.folders)) {
    const shared = sharedWith(placement, platform);
    if (shared === platform) copyFolder(source, join(version, platform));
    else linkOrCopy(join(version, shared), join(version, platform));
  }
}

function copyFolder(source: string, folder: string): void {
  mkdirSync(folder);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(folder, entry.name)];
    if (entry.isDirectory()) copyFolder(from, to);
    else {
      copyFileSync(from, to);
      chmodSync(to, EXECUTABLE);
    }
  }
}

/** Links a folder, or copies it if the file system has no links. */
function linkOrCopy(folder: string, place: string): void {
  try {
    symlinkSync(basename(folder), place, 'dir');
  } catch {
    cpSync(folder, place, { recursive: true });
  }
}

/**
 * Replaces a file, folder or link as a whole: the earlier one is moved away and removed. The target
 * of a link is not touched.
 *
 * @param build creates the new one at the given path
 */
export function replace(place: string, build: (path: string) => void): void {
  try {
    const work = mkdtempSync(join(dirname(place), `.${basename(place)}-`));
    try {
      build(join(work, 'new'));
      exchange(place, work);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  } catch (error) {
    throw cannotPlace(place, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Moves `new` from a working folder to its place. A file or folder that is in this place is moved
 * into the working folder first.
 */
function exchange(place: string, work: string): void {
  for (let tries = 1; ; tries++) {
    try {
      return renameSync(join(work, 'new'), place);
    } catch (error) {
      // After the earlier file was moved away, another synthesis may have put a new one there, so
      // this is repeated.
      if (tries === MOST_TRIES || !IN_THE_WAY.includes(codeOf(error))) throw error;
    }
    unlessGone(() => renameSync(place, join(work, `old${tries}`)));
  }
}

const MOST_TRIES = 100;
