/** Paths and helpers of the build of flavours. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const DIST = join(ROOT, 'dist');
/**
 * The folder of the build. It is below the project, so that the project's dependencies are found.
 */
export const WORK = join(DIST, 'work');

export function readJson(...path) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

export function writeJson(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Runs a command.
 *
 * @returns its output on stdout.
 * @throws Error with its output, if it fails.
 */
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

/** Returns the files below a path, or the path itself if it is a file, sorted. */
export function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** Returns the paths of scripts in this folder, which are inputs of a build. */
export function scriptsOf(...names) {
  return names.map((name) => `scripts/flavours/${name}.mjs`);
}

/** Builds into a folder, unless it was already built from the same contents of the same files. */
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
