import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const OLDEST_PYTHON = [3, 10] as const;
const INSTALLATION_TIMEOUT = 300_000;

/** The dependencies of our packages for Python, and the tools with which users test. */
const REQUIREMENTS = [
  'cdktf>=0.21,<0.22',
  'cdktf-cdktf-provider-vault>=15.6.1,<16',
  'cdktn>=0.24,<0.25',
  'cdktn-provider-vault>=18,<19',
  'constructs>=10.6,<10.8',
  'mypy',
  'pytest',
];

/**
 * Returns an environment of Python with everything except our own packages. It is kept on the
 * machine, because pip takes half a minute for it.
 *
 * @throws Error with the programs that the machine lacks.
 */
export function baseEnvironment(): string {
  const version = printedBy('python3', '-c', 'import sys; print(*sys.version_info[:3], sys.executable)');
  const [major = 0, minor = 0] = version.split(' ').map(Number);
  if (major !== OLDEST_PYTHON[0] || minor < OLDEST_PYTHON[1])
    throw new Error(`There is no Python ${OLDEST_PYTHON.join('.')} or newer, by the name of "python3".`);
  requirePacmak();

  const hash = createHash('sha256').update(version).update(REQUIREMENTS.join()).digest('hex').slice(0, 16);
  const folder = join(homedir(), '.cache', 'cdktf-vault-admin-tests', `python-${hash}`);
  if (!existsSync(folder)) install(folder);
  return folder;
}

/**
 * Returns the environment of {@link baseEnvironment}. If the machine lacks a program for it, prints
 * and returns the reason.
 */
export function pythonOrReason(): { readonly base: string } | { readonly missing: string } {
  try {
    return { base: baseEnvironment() };
  } catch (error) {
    const missing = (error as Error).message;
    const line = '!'.repeat(100);
    console.warn(`${line}\nNOT TRIED: the packages for Python. ${missing}\n${line}`);
    return { missing };
  }
}

/**
 * Returns a folder for mypy's cache, with a copy of the cache of an earlier run. Each run has a
 * folder of its own, because two processes cannot write to one cache.
 */
export function mypyCache(base: string, folder: string): string {
  const cache = join(folder, 'mypy-cache');
  if (existsSync(join(base, 'mypy-cache'))) cpSync(join(base, 'mypy-cache'), cache, { recursive: true });
  return cache;
}

export function keepMypyCache(base: string, folder: string): void {
  const kept = join(base, 'mypy-cache');
  if (existsSync(kept)) return;
  cpSync(join(folder, 'mypy-cache'), `${kept}.${process.pid}`, { recursive: true });
  moveUnlessThere(`${kept}.${process.pid}`, kept);
}

/** @throws Error if jsii-pacmak, which builds wheels, is neither installed nor in the registry */
function requirePacmak(): void {
  if (existsSync(join(process.cwd(), 'dist', 'work', 'node_modules', 'jsii-pacmak'))) return;
  if (printedBy('npm', 'view', 'jsii-pacmak', 'name') !== 'jsii-pacmak')
    throw new Error('The registry of npm does not have jsii-pacmak, or does not answer.');
}

/**
 * Installs the environment. Other processes never see an incomplete one, because it is moved to its
 * place at the end.
 */
function install(folder: string): void {
  const made = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  try {
    succeed('python3', ['-m', 'venv', made], 'This Python lacks pip or venv');
    const pip = ['-m', 'pip', 'install', '--quiet', ...REQUIREMENTS];
    succeed(join(made, 'bin', 'python'), pip, 'pip cannot install what the packages need');
    moveUnlessThere(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Moves a folder, or removes it if another run has already put one there. */
function moveUnlessThere(made: string, folder: string): void {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
}

function succeed(program: string, args: readonly string[], otherwise: string): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: INSTALLATION_TIMEOUT });
  if (status !== 0) throw new Error(`${otherwise}: ${stderr.trim().split('\n').at(-1)}`);
}

/**
 * Returns the output of a program, or an empty text if it is missing, fails, or takes more than a
 * minute.
 */
function printedBy(program: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? stdout.trim() : '';
}
