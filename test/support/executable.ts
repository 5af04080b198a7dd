/** Builds the executables without Node for tests on this machine. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sharedByTests } from './shared-folder';
import { platform } from './terraform';

const ROOT = join(__dirname, '..', '..');

/** Whether tests start the executable in place of the form for Node.js. */
export function testsExecutable(): boolean {
  return process.env.TEST_PROVIDER === 'executable';
}

/**
 * Returns the folder of the provider's executable. The first call builds it.
 *
 * @throws Error if it cannot be built, for example without a package registry
 */
export async function executableFolder(): Promise<string> {
  return join(builtOnce(), platform());
}

/**
 * Returns the folder of {@link executableFolder}, or `undefined` if no package registry has the
 * parts.
 */
export function executableIfAvailable(): string | undefined {
  const built = programsIfAvailable();
  return built && join(built, platform());
}

/**
 * Returns a folder with both programs for this machine, laid out as by `npm run executables`. The
 * first call builds them. Returns `undefined` if no package registry has the parts.
 *
 * @throws Error if they cannot be built for another reason
 */
export function programsIfAvailable(): string | undefined {
  try {
    return builtOnce();
  } catch (error) {
    if (String(error).includes('the package registry does not have')) return undefined;
    throw error;
  }
}

function builtOnce(): string {
  return sharedByTests('executables', (folder) => {
    const programs = join(folder, 'programs');
    buildExecutable([programs], [platform()], ['provider', 'vault-admin']);
    return programs;
  });
}

export type Program = 'provider' | 'vault-admin';

/**
 * Builds executables in each of the folders: the provider in `PLATFORM/`, and the command line in
 * `vault-admin/PLATFORM/`.
 *
 * @throws Error if it cannot be built.
 */
export function buildExecutable(
  folders: readonly string[],
  platforms: readonly string[] = [platform()],
  programs: readonly Program[] = ['provider'],
): void {
  const script = join(ROOT, 'scripts', 'executables', 'run.mjs');
  const chosen = programs.flatMap((program) => ['--program', program]);
  const outputs = folders.flatMap((folder) => ['--output', folder]);
  const args = [script, ...platforms, ...chosen, ...outputs];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the executable could not be built: ${stderr}`);
}

/** Prints, as a visible warning, that tests of executables were left out. */
export function warnNotTried(what: string, needs: string): void {
  const line = '!'.repeat(100);
  console.warn(`${line}\nNOT TRIED: ${what}. ${needs}\n${line}`);
}

/** Unpacks a package of Debian to a folder. Returns false if it cannot be downloaded. */
export function unpackDebian(name: string, folder: string): boolean {
  const module = pathToFileURL(join(ROOT, 'scripts', 'executables', 'debian.mjs')).href;
  const script =
    `import { downloadFromDebian } from ${JSON.stringify(module)};` +
    'const [spec, folder] = process.argv.slice(1); process.stdout.write(downloadFromDebian(spec, folder));';
  const draft = mkdtempSync(join(tmpdir(), 'debian-'));
  try {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script, name, draft],
      { encoding: 'utf8' },
    );
    if (status !== 0) return false;
    return spawnSync('dpkg-deb', ['--extract', join(draft, stdout), folder]).status === 0;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
