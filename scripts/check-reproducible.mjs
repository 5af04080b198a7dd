/**
 * Builds and packs the commit twice, each time in a clone of its own, and fails unless both
 * tarballs have the same bytes. Needs a package registry, and minutes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'reproducible-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const hashes = ['one', 'a-folder-with-another-name'].map(packClone);
for (const hash of hashes) console.log(`${hash}  the tarball`);
if (hashes[0] !== hashes[1]) {
  console.error('The same commit was packed into different bytes.');
  process.exitCode = 1;
}

function packClone(name) {
  const clone = join(folder, name);
  run('git', ['clone', '--quiet', '--no-hardlinks', root, clone], folder);
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], clone);
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--foreground-scripts=false'], clone));
  return createHash('sha256')
    .update(readFileSync(join(clone, filename)))
    .digest('hex');
}

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
