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
import { OPEN_IN_PLACE } from '../../src/files';
import { cannotPlace } from '../private/messages';
import { makeFolders } from './output-folder';
import type { ProviderPackage } from './provider-package';

/**
 * Where Terraform may run: the provider is the same file everywhere, so that a stack that is synthesized on one
 * platform can be applied on another.
 */
const PLATFORMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];
const [FIRST_PLATFORM = '', ...OTHER_PLATFORMS] = PLATFORMS;

const EXECUTABLE = 0o755;

/**
 * Places the provider in `folder`, once for each platform. What is there and is not exactly the provider is replaced.
 * Nothing is written, changed or removed through a link.
 *
 * @param root the folder below which no link is followed.
 * @param folder below `root`. It belongs to the provider: other versions are removed.
 * @throws Error if a folder between `root` and `folder` is a link or a file, or cannot be written to.
 */
export function placePackage(pack: ProviderPackage, root: string, folder: string): void {
  makeFolders(root, dirname(folder));
  if (unlessGone(() => isPlaced(pack, folder))) return;
  replace(folder, (built) => buildFolder(pack, built));
}

/** `undefined` if what it is about was moved away meanwhile: another synthesis replaces it. */
function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (GONE.includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Something else may be in its place by now. */
const GONE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];
/** EPERM: on Windows. */
const IN_THE_WAY: readonly unknown[] = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR', 'EPERM'];

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}

/** Whether the provider, and nothing else, is in `folder`. */
function isPlaced(pack: ProviderPackage, folder: string): boolean {
  const version = join(folder, pack.version);
  return (
    holdsExactly(folder, [pack.version]) &&
    holdsExactly(version, PLATFORMS) &&
    isPackage(pack, join(version, FIRST_PLATFORM)) &&
    OTHER_PLATFORMS.every((platform) => {
      const place = join(version, platform);
      return isLinkTo(FIRST_PLATFORM, place) || isPackage(pack, place);
    })
  );
}

function isPackage(pack: ProviderPackage, folder: string): boolean {
  const files = readdirSync(pack.folder);
  return (
    holdsExactly(folder, files) &&
    files.every((file) => isExecutableCopy(join(folder, file), readFileSync(join(pack.folder, file))))
  );
}

/** Whether a folder, and no link to one, has entries of these names and no others. */
function holdsExactly(folder: string, names: readonly string[]): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  return readdirSync(folder).sort().join('/') === [...names].sort().join('/');
}

function isLinkTo(target: string, place: string): boolean {
  return lstatSync(place).isSymbolicLink() && readlinkSync(place) === target;
}

/**
 * Whether a file, neither a link nor known under a second name, has this content. If so, it is made executable:
 * pipelines hand folders on without the permission.
 */
function isExecutableCopy(file: string, content: Buffer): boolean {
  if (!isLoneFile(lstatSync(file), content)) return false;
  const descriptor = openSync(file, OPEN_IN_PLACE);
  try {
    const stat = fstatSync(descriptor);
    if (!isLoneFile(stat, content) || !readFileSync(descriptor).equals(content)) return false;
    // An executable file stays as it is: only its owner could change that.
    if ((stat.mode & 0o111) !== 0o111) fchmodSync(descriptor, EXECUTABLE);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function isLoneFile(stat: Stats, { length }: Buffer): boolean {
  return stat.isFile() && stat.nlink === 1 && stat.size === length;
}

function buildFolder(pack: ProviderPackage, folder: string): void {
  const version = join(folder, pack.version);
  const first = join(version, FIRST_PLATFORM);
  mkdirSync(first, { recursive: true });
  for (const file of readdirSync(pack.folder)) {
    copyFileSync(join(pack.folder, file), join(first, file));
    chmodSync(join(first, file), EXECUTABLE);
  }
  for (const other of OTHER_PLATFORMS) linkOrCopy(first, join(version, other));
}

/** Makes a copy where the file system has no links. */
function linkOrCopy(folder: string, place: string): void {
  try {
    symlinkSync(basename(folder), place, 'dir');
  } catch {
    cpSync(folder, place, { recursive: true });
  }
}

/**
 * Replaces a file or folder as a whole. Whatever was there is moved away and removed, a link as a link.
 *
 * @param build makes the new one under the given path.
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

/** Moves `new` from a folder into a place, and what is in its way there into the same folder. */
function exchange(place: string, work: string): void {
  for (let tries = 1; ; tries++) {
    try {
      return renameSync(join(work, 'new'), place);
    } catch (error) {
      // More than one: another synthesis has put something there again.
      if (tries === MOST_TRIES || !IN_THE_WAY.includes(codeOf(error))) throw error;
    }
    unlessGone(() => renameSync(place, join(work, `old${tries}`)));
  }
}

const MOST_TRIES = 100;
