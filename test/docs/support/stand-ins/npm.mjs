/**
 * A replacement for npm if a page installs packages, which requires a registry: links packages of
 * the checkout into `node_modules`, and the checkout itself in place of the tarball. It passes all
 * other commands on to npm.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { CHECKOUT, STAND_INS, REAL_NPM } = process.env;
/** The packages that npm installs together with the package. */
const PEERS = ['cdktf', 'constructs', '@cdktf/provider-vault'];

const [command, ...args] = process.argv.slice(2);
if (command !== 'install') {
  process.exit(spawnSync(REAL_NPM, [command, ...args], { stdio: 'inherit' }).status ?? 1);
}
const asked = args.filter((arg) => !arg.startsWith('-')).map(nameOf);
for (const name of [...asked, ...declared()]) install(name);
writeLock();

function nameOf(spec) {
  return spec.endsWith('.tgz') ? 'cdktf-vault-admin' : spec.replace(/(?<=.)@.*$/, '');
}

function declared() {
  if (!existsSync('package.json')) return [];
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies });
}

/**
 * Writes the part of the lock file that names the packages, and those that only developers need.
 */
function writeLock() {
  const before = existsSync('package-lock.json')
    ? JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
    : {};
  const dev = args.includes('--save-dev');
  const added = asked.map((name) => [`node_modules/${name}`, dev ? { dev } : {}]);
  const packages = { ...before, ...Object.fromEntries(added) };
  writeFileSync('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
}

function install(name) {
  if (name === 'cdktf-cli') return linkCommand('cdktf', join(STAND_INS, 'cdktf.mjs'));
  const from = name === 'cdktf-vault-admin' ? CHECKOUT : join(CHECKOUT, 'node_modules', name);
  link(from, join('node_modules', name));
  const { bin = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  if (name === 'typescript') return linkCommand('tsc', join(STAND_INS, 'tsc.mjs'));
  for (const [commandName, file] of Object.entries(bin)) linkCommand(commandName, join(from, file));
  if (name === 'cdktf-vault-admin') PEERS.forEach(install);
}

function linkCommand(name, file) {
  const command = join('node_modules', '.bin', name);
  mkdirSync(dirname(command), { recursive: true });
  writeFileSync(command, `#!/bin/sh\nexec node "${file}" "$@"\n`, { mode: 0o755 });
}

function link(from, to) {
  if (!existsSync(from)) throw new Error(`${from} is not there to be installed`);
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(to)) symlinkSync(from, to);
}
