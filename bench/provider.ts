import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { providerPackage } from '../constructs/placement/provider-package';
import { PROVIDER_NAME } from '../src/provider/about';
import { platform } from '../test/support/terraform';

/**
 * The provider for Node.js that the build created. The folder has the executable and the files that
 * it needs, and nothing else.
 */
export const { folder: PROVIDER_FOLDER, version: PROVIDER_VERSION } = providerPackage();

/** The path of the file that Terraform starts, in the folder of each form of the provider. */
export const PROVIDER_FILE = `terraform-provider-${PROVIDER_NAME}_v${PROVIDER_VERSION}`;

/** Builds the executable for this machine in a folder, and returns its own folder there. */
export function buildExecutable(folder: string, ...options: readonly string[]): string {
  const script = join('scripts', 'executables', 'run.mjs');
  const args = [script, platform(), '--program', 'provider', '--output', folder, ...options];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, platform());
}

/** Returns the size in bytes of the zip that a release has of an executable. */
export function zipSize(executable: string): number {
  const packages = pathToFileURL(join('scripts', 'release', 'packages.mjs')).href;
  const script =
    `import { zipOf } from ${JSON.stringify(packages)};` + 'console.log(zipOf(process.argv[1]).length);';
  const args = ['--input-type=module', '--eval', script, executable];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
