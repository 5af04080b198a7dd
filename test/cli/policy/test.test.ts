import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('policy-test');
  write(
    'hours.sentinel',
    'import "time"\n\n# Work is done by day.\nmain = rule { time.now.hour in range(8, 18) }\n',
  );
  write('test/hours/day.hcl', 'mock "time" {\n  data = { now = { hour = 9 } }\n}\n');
  write(
    'test/hours/night.hcl',
    'mock "time" {\n  data = { now = { hour = 3 } }\n}\ntest {\n  rules = { main = false }\n}\n',
  );
});

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function policyTest(...args: readonly string[]) {
  const { code, stdout, stderr } = await vaultAdmin(['policy', 'test', ...args], {}, folder);
  return { code, stdout: stdout.replace(/in \d+\.\d\d s/, 'in T s'), stderr };
}

test('passing tests of a folder are listed', async () => {
  expect(await policyTest()).toEqual({
    code: 0,
    stdout:
      'PASS - hours.sentinel\n  PASS - test/hours/day.hcl\n  PASS - test/hours/night.hcl\n' +
      '2 tests of 1 policy: 2 passed, 0 failed, in T s\n',
    stderr: '',
  });
});

test('a test that fails is shown with the trace', async () => {
  write(
    'test/hours/night.hcl',
    'mock "time" {\n  data = { now = { hour = 3 } }\n}\ntest {\n  rules = { main = true }\n}\n',
  );
  const { code, stdout } = await policyTest('hours.sentinel', '--run', 'hours/night');
  expect(code).toBe(1);
  expect(stdout).toBe(
    'FAIL - hours.sentinel\n  FAIL - test/hours/night.hcl\n    expected "main" to be true, got: false\n' +
      '    trace:\n      hours.sentinel:4:1 - Rule "main"\n        Description:\n          Work is done by day.\n\n' +
      '        Value:\n          false\n\n1 test of 1 policy: 0 passed, 1 failed, in T s\n',
  );
});

const MAIN = {
  ...{ name: 'main', description: 'Work is done by day.' },
  ...{ file: 'hours.sentinel', line: 4, column: 1 },
};

test('test --json prints the expected and the actual result of each case, with its trace and its duration', async () => {
  const { code, stdout } = await policyTest('--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    cases: [
      {
        ...{ policy: 'hours.sentinel', case: 'test/hours/day.hcl', passed: true, rules: {}, error: null },
        ...{ trace: [{ ...MAIN, value: true }], printed: [], milliseconds: expect.any(Number) },
      },
      {
        policy: 'hours.sentinel',
        case: 'test/hours/night.hcl',
        passed: true,
        rules: { main: { expected: false, got: false } },
        error: null,
        trace: [{ ...MAIN, value: false }],
        printed: [],
        milliseconds: expect.any(Number),
      },
    ],
    tokens: [],
    passed: 2,
    failed: 0,
  });
});

test('--timeout stops a policy that runs longer, and its test fails with the time', async () => {
  write(
    'long.sentinel',
    'for range(2000) as a {\n\tfor range(2000) as b {\n\t\tx = b\n\t}\n}\nmain = true\n',
  );
  write('test/long/a.hcl', '');
  const { code, stdout } = await policyTest('--json', '--run', 'long', '--timeout', '1ms');
  expect(code).toBe(1);
  const { cases } = JSON.parse(stdout) as { cases: unknown[] };
  expect(cases).toMatchObject([
    {
      passed: false,
      error: expect.stringMatching(
        /^long\.sentinel:[123]:\d+: the policy was stopped: it takes more than 1 ms$/,
      ),
    },
  ]);
  expect(await policyTest('--timeout', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Allowed are durations such as 90s, 5m or 1h.'),
  });
});

test('the exit code is 2 if a policy does not parse', async () => {
  write('broken.sentinel', 'main = ruel {\n\ttrue\n}\n');
  const { code, stdout } = await policyTest('--json');
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    cases: [
      {
        policy: 'broken.sentinel',
        case: null,
        passed: false,
        rules: {},
        error:
          'broken.sentinel:1:13: expected the end of the statement, found "{"; did you mean "rule" instead of "ruel"?',
      },
      { passed: true },
      { passed: true },
    ],
    passed: 2,
    failed: 1,
  });
});

test('a folder without tests is an error; a policy without tests beside others is listed', async () => {
  write('other/a.sentinel', 'main = true\n');
  expect(await policyTest('other')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'vault-admin: other: there are no tests of 1 Sentinel policy, and none of ACL policies (*.test.hcl)\n' +
      'To do: write the tests of NAME.sentinel as test/NAME/*.hcl beside it, and those of ACL policies as *.test.hcl.\n',
  });
  expect(await policyTest()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('?    - other/a.sentinel [no test files]\n') as unknown,
  });
});

test.each([
  [['nowhere'], 'vault-admin: nowhere was not found\n'],
  [['--run', '('], 'vault-admin: --run: "(" is not a valid regular expression\n'],
])('policy test %j is refused', async (args, message) => {
  expect(await policyTest(...args)).toEqual({ code: 2, stdout: '', stderr: message });
});
