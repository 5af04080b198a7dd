import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { readPlainFile } from '../../../src/files';
import {
  checksumsNotValid,
  executableMissing,
  executablePackageMissing,
  executablePackageOfOtherVersion,
} from './messages';
import type { Placement } from '../place-package';
import { packageHash, providerPackage } from '../provider-package';
import type { Installation } from './installation';

/**
 * The platforms of the form for Node.js. Its files are the same on all of them, so that a stack can
 * be synthesized on one platform and used on another.
 */
const NODE_PLATFORMS = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];

/** The maximum size in bytes of the small files beside executables. */
const LONGEST = 1024 * 1024;
const HASH = /^(?:h1:[A-Za-z0-9+/]{43}=|zh:[0-9a-f]{64})$/;

/** A provider for stacks, with the hashes for their lock files. */
interface PackageToPlace extends Placement {
  readonly hashes: readonly string[];
}

/** @throws Error if an executable cannot be found, or has another version */
export function packageFor({ executables, executablesFolder }: Installation): PackageToPlace {
  const { version, folder, hash } = providerPackage();
  if (executables === undefined) {
    const folders = Object.fromEntries(NODE_PLATFORMS.map((platform) => [platform, folder]));
    return { version, folders, hashes: [hash] };
  }
  const found = executables.map((platform) =>
    executablesFolder === undefined
      ? fromNpm(platform, version)
      : fromFolder(platform, version, resolve(executablesFolder)),
  );
  return {
    version,
    folders: Object.fromEntries(found.map((each) => [each.platform, each.folder])),
    hashes: [hash, ...found.flatMap((each) => [packageHash(each.folder), ...readChecksums(each.checksums)])],
  };
}

interface Executable {
  readonly platform: string;
  readonly folder: string;
  /** The file with the hashes of all packages of the version. It may be missing. */
  readonly checksums: string;
}

function fromFolder(platform: string, version: string, root: string): Executable {
  const folder = join(root, platform);
  requireExecutable(folder, platform, version);
  return { platform, folder, checksums: join(root, `checksums_${version}.json`) };
}

/**
 * Returns the executable in an npm package. The app's dependencies are searched first, because this
 * package may be installed in another place.
 */
function fromNpm(platform: string, version: string): Executable {
  const name = `vault-admin-provider-${platform.replace('_', '-')}`;
  const manifest = resolveFrom([join(process.cwd(), 'app'), __filename], `${name}/package.json`);
  if (manifest === undefined) throw executablePackageMissing(name, version);
  const { version: installed } = JSON.parse(read(manifest)) as { version: string };
  if (installed !== version) throw executablePackageOfOtherVersion(name, installed, version);
  const folder = join(dirname(manifest), 'provider');
  requireExecutable(folder, platform, version);
  return { platform, folder, checksums: join(dirname(manifest), 'checksums.json') };
}

function resolveFrom(places: readonly string[], path: string): string | undefined {
  for (const place of places) {
    try {
      return createRequire(place).resolve(path);
    } catch {
      // The package may be found from the next place, so this is no error.
    }
  }
  return undefined;
}

function requireExecutable(folder: string, platform: string, version: string): void {
  const suffix = platform.startsWith('windows') ? '.exe' : '';
  const file = join(folder, `terraform-provider-vaultadmin_v${version}${suffix}`);
  if (!existsSync(file)) throw executableMissing(file);
}

function readChecksums(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const hashes = hashesOf(read(file));
  if (!hashes) throw checksumsNotValid(file);
  return hashes;
}

function hashesOf(text: string): readonly string[] | undefined {
  try {
    const { hashes } = JSON.parse(text) as { hashes?: unknown };
    // The hashes are written to lock files unchanged.
    const isHash = (each: unknown): each is string => typeof each === 'string' && HASH.test(each);
    return Array.isArray(hashes) && hashes.every(isHash) ? hashes : undefined;
  } catch {
    return undefined;
  }
}

function read(file: string): string {
  return readPlainFile(file, LONGEST).toString();
}
