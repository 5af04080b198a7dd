/** The provider's executable without Node, for this machine. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { sharedByTests } from './shared-folder';
import { platform } from './terraform';

const ROOT = join(__dirname, '..', '..');

/** Returns whether tests are to start the executable where they would use another form of the provider. */
export function testsExecutable(): boolean {
  return process.env.TEST_PROVIDER === 'executable';
}

/**
 * Returns the folder of the executable, which the first caller builds.
 *
 * @throws Error if it cannot be built, as without a package registry.
 */
export async function executableFolder(): Promise<string> {
  return sharedByTests('executable', (folder) => {
    buildExecutable(folder);
    return join(folder, platform());
  });
}

/** @throws Error if it cannot be built. */
export function buildExecutable(folder: string, platforms: readonly string[] = [platform()]): void {
  const script = join(ROOT, 'scripts', 'executables', 'run.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...platforms, '--output', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the executable could not be built: ${stderr}`);
}
