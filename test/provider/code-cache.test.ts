import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCached } from '../../src/provider/code-cache';

let folder: string;
let caches: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'code-'));
  caches = join(folder, 'caches', 'terraform-provider-vaultadmin');
  writeFileSync(join(folder, 'beside.js'), 'exports.two = 2;');
  give(1);
  const body = 'let sum = 0; for (const each of [1, 2, 3]) sum += each * each; return sum;';
  writeFileSync(
    join(folder, 'functions.js'),
    `exports.first = () => { ${body} }; exports.second = () => { ${body} };`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const give = (one: number) =>
  writeFileSync(
    join(folder, 'code.js'),
    `module.exports = { one: ${one}, two: require('./beside.js').two, where: __dirname };`,
  );

/** Loads the file as one process does. */
function load(env: NodeJS.ProcessEnv = {}) {
  const writes: (() => void)[] = [];
  const atExit = (write: () => void) => writes.push(write);
  const loaded = loadCached(folder, 'code.js', {
    env: { XDG_CACHE_HOME: join(folder, 'caches'), ...env },
    atExit,
  });
  for (const write of writes) write();
  return { loaded, hasWritten: writes.length > 0 };
}

const cacheFile = () => join(caches, readdirSync(caches)[0]!);

test('what eight processes compiled is used, as long as the source is the same', () => {
  const first = load();
  expect(first).toEqual({ loaded: { one: 1, two: 2, where: folder }, hasWritten: true });
  expect(readdirSync(caches)).toHaveLength(1);
  expect([statSync(caches).mode & 0o777, statSync(cacheFile()).mode & 0o777]).toEqual([0o700, 0o600]);
  for (let process = 2; process <= 8; process += 1) expect(load()).toEqual(first);
  expect(load()).toEqual({ ...first, hasWritten: false });

  // V8 itself would take the code of another source that is as long.
  give(2);
  expect(load()).toEqual({ loaded: { one: 2, two: 2, where: folder }, hasWritten: true });
  for (let process = 2; process <= 8; process += 1) load();
  expect(load()).toMatchObject({ loaded: { one: 2 }, hasWritten: false });
});

test('a process adds what it compiled to what others had compiled', () => {
  const sizes: number[] = [];
  for (const called of ['first', 'second', 'first', 'none']) {
    const writes: (() => void)[] = [];
    const options = {
      env: { XDG_CACHE_HOME: join(folder, 'caches') },
      atExit: (write: () => void) => writes.push(write),
    };
    const functions = loadCached(folder, 'functions.js', options) as Record<string, () => number>;
    functions[called]?.();
    for (const write of writes) write();
    sizes.push(statSync(cacheFile()).size);
  }
  const [one, ...others] = sizes;
  for (const other of others) expect(other).toBeGreaterThan(one!);
});

test('a damaged cache is written again', () => {
  load();
  const written = readFileSync(cacheFile());
  writeFileSync(cacheFile(), Buffer.concat([written.subarray(0, 40), Buffer.alloc(written.length - 40)]));
  expect(load()).toMatchObject({ loaded: { one: 1 }, hasWritten: true });
  writeFileSync(cacheFile(), '');
  expect(load()).toMatchObject({ loaded: { one: 1 }, hasWritten: true });
  expect(readFileSync(cacheFile()).length).toBe(written.length);
});

test('a folder that others can open is neither read nor written', () => {
  load();
  const before = readFileSync(cacheFile());
  chmodSync(caches, 0o755);
  expect(load()).toMatchObject({ loaded: { one: 1 }, hasWritten: true });
  give(3);
  expect(load()).toMatchObject({ loaded: { one: 3 } });
  expect(readFileSync(cacheFile())).toEqual(before);
});

test.each([{ CI: 'true' }, { NODE_DISABLE_COMPILE_CACHE: '1' }])('there is none with %j', (env) => {
  expect(load(env)).toMatchObject({ loaded: { one: 1 }, hasWritten: false });
  expect(existsSync(caches)).toBe(false);
});

test('where it cannot be written, the code runs', () => {
  const nowhere = join(folder, 'beside.js');
  expect(load({ XDG_CACHE_HOME: nowhere })).toMatchObject({ loaded: { one: 1 }, hasWritten: true });
});
