import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { providerPackage } from '../constructs/placement/provider-package';
import { PROVIDER_NAME } from '../src/provider/about';
import { platform } from '../test/support/terraform';

/**
 * The provider for Node.js that the build created. Its folder contains only the executable and the
 * files that this loads.
 */
export const { folder: PROVIDER_FOLDER, version: PROVIDER_VERSION } = providerPackage();

/**
 * The name of the file that Terraform starts, which is the same for the executable and for Node.js.
 */
export const PROVIDER_FILE = `terraform-provider-${PROVIDER_NAME}_v${PROVIDER_VERSION}`;

/**
 * Builds the executable for this machine below a folder, and returns the folder that contains it.
 */
export function buildExecutable(folder: string, ...options: readonly string[]): string {
  const script = join('scripts', 'executables', 'run.mjs');
  const args = [script, platform(), '--program', 'provider', '--output', folder, ...options];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, platform());
}

/** Returns the size in bytes of the zip in which a release contains an executable. */
export function zipSize(executable: string): number {
  const packages = pathToFileURL(join('scripts', 'release', 'packages.mjs')).href;
  const script =
    `import { zipOf } from ${JSON.stringify(packages)};` + 'console.log(zipOf(process.argv[1]).length);';
  const args = ['--input-type=module', '--eval', script, executable];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
