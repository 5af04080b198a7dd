/** The packages of a release: one zip for each program and platform, with its hashes. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { PLATFORMS } from '../executables/platforms.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);

/**
 * The earliest time that a zip can contain. All files get it, because their own times are those of
 * the build, and the zip must not depend on them.
 */
const TIME = new Date(1980, 0, 1);
const MADE_ON_UNIX = 3;
const REGULAR_FILE = 0o100000;

export function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Returns the package of a program for each platform.
 *
 * @param program an entry of `PROGRAMS`.
 * @param executables the folder that `npm run executables` wrote.
 * @throws Error if it has no executables, or those of another version.
 */
export function packagesOf(program, { executables, version }) {
  const built = join(executables, program.folder);
  const platforms = Object.keys(PLATFORMS).filter((platform) => existsSync(join(built, platform)));
  if (platforms.length === 0)
    throw new Error(
      `${built} has no executables: run "npm run executables", or name another folder with --executables`,
    );
  return platforms.map((platform) => packageOf(program, join(built, platform), { platform, version }));
}

function packageOf(program, folder, { platform, version }) {
  const [os, arch] = platform.split('_');
  const executable = `${program.fileName(version)}${os === 'windows' ? '.exe' : ''}`;
  if (!existsSync(join(folder, executable)))
    throw new Error(`${folder} has no ${executable}: run "npm run executables" for version ${version}`);
  const zip = zipOf(folder);
  const { packageHash } = require(join(root, 'lib', 'constructs', 'placement', 'provider-package.js'));
  return {
    platform,
    os,
    arch,
    zip,
    name: `${program.title}_${version}_${platform}.zip`,
    sha256: sha256(zip),
    /** The hashes for lock files: that of the unpacked files, and that of the zip. */
    hashes: [packageHash(folder), `zh:${sha256(zip)}`],
  };
}

/** Returns a zip of the files of a folder. The same files give the same bytes on every machine. */
export function zipOf(folder) {
  const files = filesBelow(folder).map((name) => {
    const mode = lstatSync(join(folder, name)).mode & 0o111 ? 0o755 : 0o644;
    const attributes = { mtime: TIME, os: MADE_ON_UNIX, attrs: ((REGULAR_FILE | mode) << 16) >>> 0 };
    return [name, [readFileSync(join(folder, name)), attributes]];
  });
  return zipSync(Object.fromEntries(files), { level: 9 });
}

function filesBelow(folder, prefix = '') {
  return readdirSync(join(folder, prefix))
    .sort()
    .flatMap((name) => {
      const path = `${prefix}${name}`;
      return lstatSync(join(folder, path)).isDirectory() ? filesBelow(folder, `${path}/`) : [path];
    });
}
