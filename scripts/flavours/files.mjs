/** Places and small tools of the build of flavours. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const DIST = join(ROOT, 'dist');
/** What is built lies below the project: it finds the project's own dependencies. */
export const WORK = join(DIST, 'work');

export function readJson(...path) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

export function writeJson(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** @throws Error with what the command printed, if it fails. @returns what it printed on stdout. */
export function run(command, args, { cwd = ROOT, env = process.env } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error || status !== 0) {
    const ending = error?.message ?? `exit code ${status}`;
    throw new Error(`"${[command, ...args].join(' ')}" failed: ${ending}\n${stdout ?? ''}${stderr ?? ''}`);
  }
  return stdout;
}

/** The files below a path, which may be one itself, sorted. */
export function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** Scripts of this folder by their names, for what is built with them. */
export function scriptsOf(...names) {
  return names.map((name) => `scripts/flavours/${name}.mjs`);
}

/** Builds into a folder unless that was done already, from the same contents of the same files. */
export async function unlessDone(folder, inputs, build) {
  const stampFile = join(folder, 'made-from.sha256');
  const stamp = hashOf(inputs);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  mkdirSync(folder, { recursive: true });
  await build();
  writeFileSync(stampFile, stamp);
}

function hashOf(inputs) {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs.flatMap(filesBelow))
    hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  return hash.digest('hex');
}
