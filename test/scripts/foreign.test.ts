/** Tests the counts of other projects' tests, with replacements for these projects. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '..', '..');
let folder: string;
beforeAll(() => {
  folder = temporaryFolder('foreign');
});

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const others = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !['UPSTREAM_TESTS', 'HVAC_SOURCES'].includes(name)),
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts', 'foreign', 'run.mjs'), ...args],
    { encoding: 'utf8', env: { ...others, ...env } },
  );
  return { status, stdout, stderr };
}

function program(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!${process.execPath}\n${text}`, { mode: 0o755 });
  return file;
}

test('suites that are not available are left out with a notice', () => {
  const { status, stdout } = run([]);
  expect(status).toBe(0);
  expect(stdout).toContain('NOT RUN: upstream. UPSTREAM_TESTS names');
  expect(stdout).toContain('NOT RUN: hvac. HVAC_SOURCES names');
});

test('a suite that does not exist is refused', () => {
  const { status, stderr } = run(['java']);
  expect(status).toBe(1);
  expect(stderr).toBe(
    "error: command-argument value 'java' is invalid for argument 'SUITE'. Allowed choices are upstream, hvac.; " +
      'options: --only <REGEX>, --jobs <NUMBER>, --failures, -h, --help\n',
  );
});

test("upstream's tests are counted by area, each on an emulator of its own", () => {
  const UPSTREAM_TESTS = program(
    'vault.test',
    `const flag = process.argv[2];
const test = process.argv.at(-1).replace(/\\W/g, '');
(async () => {
  if (flag === '-test.list') return console.log('TestPolicy\\nTestPolicyTwo\\nTestAccToken\\nTestAccAWS\\nTestNothing\\nok');
  if (test === 'TestNothing') return console.log('--- PASS: TestNothing (0.00s)');
  const { VAULT_ADDR, VAULT_TOKEN, TF_ACC } = process.env;
  const url = VAULT_ADDR + '/v1/sys/policies/acl/left';
  const headers = { 'X-Vault-Token': VAULT_TOKEN };
  const { status } = await fetch(url, { headers });
  await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ policy: 'path "a" {}' }) });
  if (test === 'TestAccAWS') return console.log('--- SKIP: TestAccAWS (0.00s)');
  if (test === 'TestPolicyTwo') return console.log('    Error: no ' + status + '\\n--- FAIL: TestPolicyTwo (0.00s)');
  if (status === 404 && TF_ACC === '1') console.log('--- PASS: ' + test + ' (0.00s)');
})();`,
  );
  const { status, stdout } = run(['--failures', 'upstream'], { UPSTREAM_TESTS });
  expect(status).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    'upstream',
    '',
    'passed failed skipped',
    expect.stringMatching(/^clouds +0 +0 +1$/),
    expect.stringMatching(/^policies +1 +1 +0$/),
    expect.stringMatching(/^tokens +1 +0 +0$/),
    expect.stringMatching(/^all +2 +1 +1$/),
    '',
    'TestPolicyTwo',
    'Error: no 404',
  ]);
});

test("hvac's results are counted by its folders", () => {
  const HVAC_PYTHON = program(
    'python',
    `const lines = [
  { name: 'tests/integration_tests/api/system_backend/test_policies.py::T::test_a', outcome: 'passed', why: '' },
  { name: 'tests/integration_tests/api/system_backend/test_policies.py::T::test_b', outcome: 'failed', why: 'no' },
  { name: 'tests/integration_tests/v1/test_approle.py::T::test_c', outcome: 'skipped', why: '' },
];
require('node:fs').writeFileSync(process.env.RESULTS, lines.map((line) => JSON.stringify(line)).join('\\n'));`,
  );
  const { status, stdout } = run(['hvac'], { HVAC_SOURCES: folder, HVAC_PYTHON });
  expect(status).toBe(0);
  expect(stdout).toMatch(/system backend: policies +1 +1 +0\n +v1: approle +0 +0 +1\n +all +1 +1 +1\n/);
});
