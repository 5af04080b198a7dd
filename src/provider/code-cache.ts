import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { optimizeLate } from './late-optimization';

const OTHERS = 0o077;
const DIGEST_LENGTH = 32;
/**
 * The number of processes that add what they compiled to the cache. V8 compiles a function on its first call, and the
 * process that validates calls other functions than the one that plans.
 */
const WRITERS = 8;

/** What V8 compiled in earlier processes. */
interface Compiled {
  readonly code: Buffer;
  /** The number of processes that wrote it. */
  readonly writers: number;
}

interface CodeCacheOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Calls a function once: when the process ends, or before V8's settings change, if that comes first. */
  readonly atExit?: (write: () => void) => void;
}

/** Write the caches of the files that were loaded with V8's current settings. */
const UNWRITTEN: (() => void)[] = [];
let optimizesLate = false;

/**
 * Makes V8 optimize late, and loads a file as {@link loadCached} does. V8 rejects compiled code that was written with different
 * settings, so the caches of all files that are already loaded are written first.
 */
export function loadCachedOptimizedLate(folder: string, file: string): unknown {
  if (!optimizesLate) {
    writeUnwritten();
    optimizeLate();
    optimizesLate = true;
  }
  return loadCached(folder, file);
}

/**
 * Loads a file of the executable's folder as `require` does, with what V8 compiled of it in earlier processes: to compile the
 * provider takes half of the time that it needs to load. The cache is in a folder that only the user can open. There is none
 * in pipelines, whose home folders are shared with those who may not deploy, and none if `NODE_DISABLE_COMPILE_CACHE` is set.
 *
 * @param file has ASCII only.
 */
export function loadCached(
  folder: string,
  file: string,
  { env = process.env, atExit = atExitOrChange }: CodeCacheOptions = {},
): unknown {
  const filename = join(folder, file);
  const source = readFileSync(filename);
  const cacheFolder = folderOf(env);
  const cache = cacheFolder && join(cacheFolder, `${file}-${process.versions.v8}-${process.arch}`);
  const compiled = cache && compiledIn(cacheFolder, cache, source);
  const script = new Script(wrap(source.toString('latin1')), {
    filename,
    ...(compiled && { cachedData: compiled.code }),
  });

  const module: { exports: unknown } = { exports: {} };
  const run = script.runInThisContext() as (...scope: readonly unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(filename), module, filename, folder);
  const writers = compiled && script.cachedDataRejected !== true ? compiled.writers : 0;
  if (cache && writers < WRITERS) {
    // By then V8 has compiled what this process needed.
    atExit(() => {
      const all = { code: script.createCachedData(), writers: writers + 1 };
      write(cacheFolder, cache, sealed(source, all));
    });
  }
  return module.exports;
}

function atExitOrChange(write: () => void): void {
  if (UNWRITTEN.length === 0) process.once('exit', writeUnwritten);
  UNWRITTEN.push(write);
}

function writeUnwritten(): void {
  for (const write of UNWRITTEN.splice(0)) write();
}

function folderOf(env: NodeJS.ProcessEnv): string | undefined {
  if (env.CI || env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const caches =
    env.XDG_CACHE_HOME ||
    (env.HOME || homedir()) + (process.platform === 'darwin' ? '/Library/Caches' : '/.cache');
  return join(caches, 'terraform-provider-vaultadmin');
}

/** What was compiled of the same source, if nobody else can have written it and it is whole, which V8 does not check. */
function compiledIn(folder: string, cache: string, source: Buffer): Compiled | undefined {
  try {
    if (!isPrivate(folder)) return undefined;
    const stored = readFileSync(cache);
    const content = stored.subarray(DIGEST_LENGTH);
    if (!stored.subarray(0, DIGEST_LENGTH).equals(digestOf(source, content))) return undefined;
    return { code: content.subarray(0, -1), writers: content.at(-1)! };
  } catch {
    return undefined;
  }
}

function sealed(source: Buffer, { code, writers }: Compiled): Buffer {
  const content = Buffer.concat([code, Buffer.from([writers])]);
  return Buffer.concat([digestOf(source, content), content]);
}

function digestOf(source: Buffer, content: Buffer): Buffer {
  return createHash('sha256').update(source).update(content).digest();
}

/** Nothing depends on the cache: where it cannot be written, the next process compiles as well. */
function write(folder: string, cache: string, content: Buffer): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return;
    const draft = `${cache}.${process.pid}`;
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, cache);
  } catch {
    return;
  }
}

function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & OTHERS) === 0;
}
