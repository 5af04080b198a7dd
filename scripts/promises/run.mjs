/**
 * Tests whether the tests of the security promises can fail: `npm run promises`. Each row of
 * guards.json names a guard and a test. Without the guard in the source, the test must fail; with
 * it, the test must pass. `--only 3,17` selects promises. The script works in a copy of the
 * project, and exits with 1 if a test passes without its guard, or if the source does not contain a
 * guard.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { npmRun } from '../npm-run.mjs';

/** The time limit in milliseconds. A test that does not end without its guard counts as failed. */
const TEST_TIMEOUT = 60_000;
const RUN_TIMEOUT = 180_000;
/** The folders from which the bundle of the provider is built. */
const IN_PROVIDER = /^src\/(?!cli|emulator)/;

const WITH_GUARDS = new Map();
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { only } = npmRun(
  'promises',
  'Tries whether the tests of the security promises fail without the guards that keep them.',
)
  .option('--only <NUMBERS>', 'the promises to try, such as 3,17 (default: all, which takes half an hour)')
  .parse()
  .opts();
const guards = JSON.parse(readFileSync(join(root, 'scripts/promises/guards.json'), 'utf8'));
const wanted = only?.split(',').map(Number);
const chosen = guards.filter(({ promise }) => wanted?.includes(promise) ?? true);
if (chosen.length === 0) throw new Error(`no guard for the promises ${only}`);

const copy = mkdtempSync(join(tmpdir(), 'promises-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
copyProject();

const rows = chosen.map((row) => {
  const tried = tryGuard(row);
  console.error(`${tried.promise} ${tried.file}: ${tried.result}`);
  return tried;
});
const width = (of) => Math.max(...rows.map((row) => of(row).length));
for (const row of rows) {
  const [promise, file] = [row.promise.padStart(3), row.file.padEnd(width((each) => each.file))];
  console.log(`${promise}  ${file}  ${row.test.padEnd(width((each) => each.test))}  ${row.result}`);
}
const failed = rows.filter(({ isHeld }) => !isHeld);
console.log(
  `${rows.length} guards of ${new Set(rows.map(({ promise }) => promise)).size} promises, ${failed.length} not held`,
);
if (failed.length > 0) process.exitCode = 1;

/**
 * Copies the files that are committed or not ignored, and the built files. The packages are linked.
 */
function copyProject() {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of stdout
    .toString()
    .split('\0')
    .filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true });
  }
  for (const built of ['lib', 'constructs/generated', 'src/plugin/wire/generated']) {
    cpSync(join(root, built), join(copy, built), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

function tryGuard(row) {
  const { file, guard, without, test, title, built } = row;
  const text = readFileSync(join(copy, file), 'utf8');
  const places = text.split(guard).length - 1;
  if (places !== 1)
    return outcome(row, false, `the guard is ${places} times in the file: correct guards.json`);
  const began = Date.now();
  write(
    file,
    text.replace(guard, () => without),
    built,
  );
  const bare = runTest(test, title);
  write(file, text, built);
  const whole = bare.isRed ? withGuards(test, title) : undefined;
  const seconds = `${((Date.now() - began) / 1000).toFixed(0)} s`;
  if (bare.isSkipped) return outcome(row, true, 'NOT TRIED: this machine lacks what the test needs');
  if (!bare.isRed) return outcome(row, false, `STAYS GREEN without the guard (${bare.what}), ${seconds}`);
  if (!whole.isGreen) return outcome(row, false, `FAILS WITH the guard (${whole.what}), ${seconds}`);
  return outcome(row, true, `fails without the guard, ${seconds}`);
}

/** Runs a test with all guards in place, once for all guards that have the test in common. */
function withGuards(test, title) {
  const key = JSON.stringify([test, title]);
  if (!WITH_GUARDS.has(key)) WITH_GUARDS.set(key, runTest(test, title));
  return WITH_GUARDS.get(key);
}

function outcome({ promise, file, test }, isHeld, result) {
  return { promise: `P${promise}`, file, test, isHeld, result };
}

/** @param built whether the test runs the built files */
function write(file, text, built = false) {
  writeFileSync(join(copy, file), text);
  if (!built) return;
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs', platform: 'node', target: 'es2022' });
  writeFileSync(join(copy, 'lib', file.replace(/\.ts$/, '.js')), code);
  if (!IN_PROVIDER.test(file)) return;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/bundle-provider.mjs'], {
    cwd: copy,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the provider could not be built without a guard of ${file}: ${stderr}`);
}

/**
 * Runs the tests of a title. The result is red if a test failed or did not end, and neither red nor
 * green if the file cannot be run. Tests that need a tool that the machine lacks print "NOT TRIED".
 */
function runTest(file, title) {
  const results = join(copy, 'results.json');
  rmSync(results, { force: true });
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const pattern = title === undefined ? [] : ['--testNamePattern', title];
  const { error, stdout, stderr } = spawnSync(
    process.execPath,
    [
      jest,
      '--maxWorkers=1',
      '--json',
      `--outputFile=${results}`,
      `--testTimeout=${TEST_TIMEOUT}`,
      '--forceExit',
      ...pattern,
      '--runTestsByPath',
      file,
    ],
    {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: Infinity,
      timeout: RUN_TIMEOUT,
      killSignal: 'SIGKILL',
      env: environment(),
    },
  );
  if (error?.code === 'ETIMEDOUT') return { isRed: true, isGreen: false, what: 'did not end' };
  if (!existsSync(results)) return { isRed: false, isGreen: false, what: 'jest failed' };
  const found = JSON.parse(readFileSync(results, 'utf8'));
  const { numFailedTests: failures, numPassedTests: passes, numRuntimeErrorTestSuites: broken } = found;
  const isWhole = broken === 0 && failures + passes > 0;
  const what = broken > 0 ? 'the file cannot be run' : `${passes} passed, ${failures} failed`;
  const isSkipped = broken === 0 && failures + passes === 0 && `${stdout}${stderr}`.includes('NOT TRIED');
  return { isRed: isWhole && failures > 0, isGreen: isWhole && failures === 0, isSkipped, what };
}

/**
 * Returns the environment variables by which tests in the copy find the downloads of the project.
 */
function environment() {
  const mirror = join(root, 'node_modules', '.cache', 'upstream-provider-mirror');
  const hasOwn = existsSync(join(homedir(), '.cache', 'upstream-provider', 'mirror')) || !existsSync(mirror);
  return { UPSTREAM_PROVIDER_MIRROR: hasOwn ? undefined : mirror, ...process.env };
}
