/**
 * Prepares a fresh clone: installs the packages of package-lock.json and builds, each only if it is
 * needed. It runs before the first command of a newcomer, so it uses no package that `npm ci`
 * installs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const quiet = process.argv.includes('--quiet');
const BUILD_STAMP = join(root, 'lib', 'build.stamp');
const INSTALL_STAMP = join(root, 'node_modules', '.package-lock.json');

requireNode(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', ''));
if (isOlder(INSTALL_STAMP, ['package.json', 'package-lock.json'])) {
  step('installing the dependencies (npm ci)', 'npm', ['ci', '--no-audit', '--no-fund']);
}
if (
  isOlder(BUILD_STAMP, ['src', 'constructs', 'examples', 'bench', 'scripts', 'package.json', 'tsconfig.json'])
) {
  step('building into lib/', process.execPath, [join(root, 'scripts', 'build.mjs')]);
}

function requireNode(oldest) {
  const [major, minor] = oldest.split('.').map(Number);
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  console.error(`Node.js ${process.versions.node} is too old: this project needs ${oldest} or newer.`);
  process.exit(1);
}

/** Whether any of `inputs` was changed after `stamp` was written. */
function isOlder(stamp, inputs) {
  if (!existsSync(stamp)) return true;
  const stampTime = statSync(stamp).mtimeMs;
  return inputs.some((input) => newestChange(join(root, input)) > stampTime);
}

function newestChange(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // Generated folders are left out, because they are outputs. Their sources are compared instead.
  const children = readdirSync(path).filter((name) => name !== 'generated');
  return Math.max(stat.mtimeMs, ...children.map((name) => newestChange(join(path, name))));
}

function step(what, command, args) {
  // Progress goes to stderr, because stdout belongs to the requested command.
  if (!quiet) console.error(`setup: ${what} ...`);
  const started = Date.now();
  const run = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) {
    console.error(run.stdout + run.stderr);
    console.error(`setup: ${what} failed; the output above says why.`);
    process.exit(run.status ?? 1);
  }
  if (!quiet) console.error(`setup: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
