import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { providerNotBesideBundle, providerNotBuilt } from '../private/messages';

/** The provider as it lies in this package. */
interface ProviderPackage {
  readonly version: string;
  /**
   * The files that Terraform takes as the provider's package: the executable, and the files that it
   * needs beside it.
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

/** @throws Error when the provider is not there. */
export function readPackage(root: string): ProviderPackage {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'lib', 'provider');
  const executable = join(folder, `terraform-provider-vaultadmin_v${version}`);
  if (!existsSync(executable)) throw providerNotBuilt(executable);
  return { version, folder, hash: packageHash(folder) };
}

/**
 * Terraform's `h1:` hash of a folder: over the hashes and the names of its files, in the order of
 * the names.
 */
export function packageHash(folder: string): string {
  const lines = filesBelow(folder).map(
    (file) => `${sha256(readFileSync(join(folder, file))).toString('hex')}  ${file}\n`,
  );
  return `h1:${sha256(lines.join('')).toString('base64')}`;
}

/** Returns the paths of all files below a folder, with `/`, in the order of Terraform's hash. */
function filesBelow(folder: string): readonly string[] {
  // Names alone: Yarn's file system in zip archives gives entries without the path of their folder.
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => !statSync(join(folder, name)).isDirectory())
    .map((name) => name.split(sep).join('/'))
    .sort();
}

function sha256(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

/**
 * The folder of this package, found by its name: a bundler puts this code elsewhere.
 *
 * @throws Error when the code was bundled, and the package is not to be found from where the bundle
 *   lies.
 */
function packageRoot(): string {
  try {
    return dirname(createRequire(__filename).resolve('cdktf-vault-admin/package.json'));
  } catch {
    throw providerNotBesideBundle(__filename);
  }
}
