import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder';

const POOL = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'processes', 'pool.mjs')).href;

const MODULE = `
exports.twice = (number) => 2 * number;
exports.later = async (number) => {
  await new Promise(setImmediate);
  return 3 * number;
};
exports.never = (number) => (number === 2 ? new Promise(() => {}) : number);
exports.busy = () => void setInterval(() => {}, 60_000);
exports.setOf = (value) => new Set([value]);
exports.ended = (number) => {
  if (number === 2) process.exit(7);
  return number;
};
exports.thrown = (number) => {
  if (number === 2) throw new Error('two is not allowed');
  return number;
};
`;

/** Calls a function of the module with tasks, and returns its results and errors in their order. */
function called(name: string, tasks: readonly unknown[]) {
  const folder = temporaryFolder('processes');
  const module = join(folder, 'module.cjs');
  writeFileSync(module, MODULE);
  const program = `
    import { inProcesses } from ${JSON.stringify(POOL)};
    const results = inProcesses(${JSON.stringify(module)}, ${JSON.stringify(name)}, ${JSON.stringify(tasks)});
    const settled = await Promise.allSettled(results);
    const texts = settled.map(({ value, reason }) => reason?.message ?? (value instanceof Set ? [...value] : value));
    console.log(JSON.stringify(texts));
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, results: JSON.parse(stdout) as unknown, stderr };
}

test('each task has its own result, whichever ends first', () => {
  expect(called('twice', [1, 2, 3, 4, 5])).toEqual({ status: 0, results: [2, 4, 6, 8, 10], stderr: '' });
});

test('a function may return a promise of the result', () => {
  expect(called('later', [1, 2, 3])).toEqual({ status: 0, results: [3, 6, 9], stderr: '' });
});

test('a promise for which nothing happens any more fails its task', () => {
  const { status, results } = called('never', [2]);
  expect([status, results]).toEqual([0, ['2: the process ended with 0']]);
});

test('a process ends after its last task, even if timers of the function are left', () => {
  expect(called('busy', [1])).toEqual({ status: 0, results: [null], stderr: '' });
});

test('a result may be a set', () => {
  expect(called('setOf', ['a'])).toEqual({ status: 0, results: [['a']], stderr: '' });
});

test('no tasks have no results, and start no process', () => {
  expect(called('twice', [])).toEqual({ status: 0, results: [], stderr: '' });
});

test('a process that ends within a task fails it, and all tasks that have not ended', () => {
  const ended = '2: the process ended with 7';
  const { status, results } = called('ended', [2, 2, 2]);
  expect([status, results]).toEqual([0, [ended, ended, ended]]);
});

test('a function that throws fails all tasks that have not ended, and its error is printed', () => {
  const { status, results, stderr } = called('thrown', [2]);
  expect([status, results]).toEqual([0, ['2: the process ended with 1']]);
  expect(stderr).toContain('Error: two is not allowed');
});
