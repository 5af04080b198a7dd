import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { keptPackage } from './kept.mjs';
import { withoutLocales } from './locales.mjs';
import { PLATFORMS, RUNTIME } from './platforms.mjs';
import { withoutVariables } from './variables.mjs';

/**
 * Returns the file of the runtime for a platform, which ignores the variables of `variables.mjs`,
 * and has the `Intl` data of English alone unless it uses those of the system. Packages come from
 * the registry that npm uses.
 *
 * @param recording whether the runtime obeys the variables; with one of them, it records the
 *   functions that run.
 * @throws Error if the registry does not have the runtime, or if it has another hash.
 */
export async function runtimeFor(platform, recording) {
  const { runtime, integrity, usesLocalesOfSystem } = PLATFORMS[platform];
  const packed = keptPackage(`${runtime.replace('@oven/', '')}-${RUNTIME.version}.tgz`, integrity, (draft) =>
    download(`${runtime}@${RUNTIME.version}`, draft),
  );
  const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
  await extract({ file: packed, cwd: folder, strip: 2, filter: (path) => path.startsWith('package/bin/') });
  const file = join(folder, platform.startsWith('windows') ? 'bun.exe' : 'bun');
  const original = readFileSync(file);
  const changed = recording ? original : withoutVariables(original);
  writeFileSync(file, usesLocalesOfSystem ? changed : withoutLocales(changed), { mode: 0o755 });
  return file;
}

function download(spec, draft) {
  try {
    const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', draft, spec], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    return JSON.parse(printed)[0].filename;
  } catch {
    throw new Error(`the package registry does not have ${spec}`);
  }
}
