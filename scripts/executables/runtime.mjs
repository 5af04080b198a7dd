import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { PLATFORMS, RUNTIME } from './platforms.mjs';
import { withoutVariables } from './variables.mjs';

/** The registry does not have the runtime, or there is no registry. */
export class RuntimeMissingError extends Error {}

/**
 * Returns the file of the runtime for a platform, which ignores the variables of `variables.mjs`. Packages come from the registry
 * that npm uses, and are kept in the user's cache folder.
 *
 * @throws RuntimeMissingError
 * @throws Error if the package has another hash.
 */
export async function runtimeFor(platform) {
  const { runtime, integrity } = PLATFORMS[platform];
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cdktf-vault-admin-runtimes');
  const packed = join(cache, `${runtime.replace('@oven/', '')}-${RUNTIME.version}.tgz`);
  if (!existsSync(packed)) download(runtime, packed, cache);
  const content = readFileSync(packed);
  const hash = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  if (hash !== integrity) {
    throw new Error(`${packed} has the hash ${hash} instead of ${integrity}: delete it, and try again`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
  await extract({ file: packed, cwd: folder, strip: 2, filter: (path) => path.startsWith('package/bin/') });
  const file = join(folder, platform.startsWith('windows') ? 'bun.exe' : 'bun');
  writeFileSync(file, withoutVariables(readFileSync(file)), { mode: 0o755 });
  return file;
}

function download(runtime, packed, cache) {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    const spec = `${runtime}@${RUNTIME.version}`;
    const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', draft, spec], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    renameSync(join(draft, JSON.parse(printed)[0].filename), packed);
  } catch {
    throw new RuntimeMissingError(`the package registry does not have ${runtime}@${RUNTIME.version}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
