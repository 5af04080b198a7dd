import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { providerNotBesideBundle, providerNotBuilt } from '../private/messages';

/** The provider in this package. */
interface ProviderPackage {
  readonly version: string;
  /**
   * The files of Terraform's package of the provider: the executable, and the files that it needs
   * beside it.
   */
  readonly folder: string;
  /** The hash of the folder, as in `.terraform.lock.hcl`. */
  readonly hash: string;
}

let found: ProviderPackage | undefined;

/** The provider of this package, read once. */
export function providerPackage(): ProviderPackage {
  return (found ??= readPackage(packageRoot()));
}

/** @throws Error if the provider was not built */
export function readPackage(root: string): ProviderPackage {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'lib', 'provider');
  const executable = join(folder, `terraform-provider-vaultadmin_v${version}`);
  if (!existsSync(executable)) throw providerNotBuilt(executable);
  return { version, folder, hash: packageHash(folder) };
}

/**
 * Returns Terraform's `h1:` hash of a folder: the hash of the hashes and the names of its files, in
 * the order of the names.
 */
export function packageHash(folder: string): string {
  const lines = filesBelow(folder).map(
    (file) => `${sha256(readFileSync(join(folder, file))).toString('hex')}  ${file}\n`,
  );
  return `h1:${sha256(lines.join('')).toString('base64')}`;
}

/** Returns the paths of all files below a folder, with `/`, in the order of Terraform's hash. */
function filesBelow(folder: string): readonly string[] {
  // Only names are used: Yarn's file system in zip archives returns entries without the path of
  // their folder.
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => !statSync(join(folder, name)).isDirectory())
    .map((name) => name.split(sep).join('/'))
    .sort();
}

function sha256(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

/**
 * Returns the folder of this package. It is found by its name, because a bundler moves this code.
 *
 * @throws Error if the code was bundled, and the package cannot be found from the bundle
 */
function packageRoot(): string {
  try {
    return dirname(createRequire(__filename).resolve('cdktf-vault-admin/package.json'));
  } catch {
    throw providerNotBesideBundle(__filename);
  }
}
