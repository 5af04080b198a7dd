import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder: string;

/**
 * Returns rules with "+" at all places, so that each has paths in common with nearly all others.
 */
function crossing(capability: string): string {
  return Array.from({ length: 512 }, (_, index) => {
    const path = index.toString(2).padStart(9, '0').replaceAll('1', '+/').replaceAll('0', 'a/');
    const own = index % 2 === 0 ? capability : 'list';
    return `path "${path}${capability}*" { capabilities = ["${own}"] }\n`;
  }).join('');
}

beforeAll(() => {
  folder = temporaryFolder('too-complex');
  for (const side of ['old', 'new']) mkdirSync(join(folder, side));
  writeFileSync(join(folder, 'old', 'wild.hcl'), crossing('read'));
  writeFileSync(join(folder, 'new', 'wild.hcl'), crossing('update'));
  writeFileSync(join(folder, 'templated.hcl'), templated(200));
  writeFileSync(join(folder, 'old', 'app.hcl'), 'path "a" { capabilities = ["read"] }\n');
  writeFileSync(join(folder, 'new', 'app.hcl'), 'path "a" { capabilities = ["list"] }\n');
});

function policy(...args: readonly string[]) {
  return vaultAdmin(['policy', ...args], {}, folder);
}

/** Returns rules whose templates can stand for any part of a long path. */
function templated(rules: number): string {
  return Array.from(
    { length: rules },
    (_, index) =>
      `path "{{identity.entity.id}}a{{identity.entity.name}}b${index}" { capabilities = ["read"] }\n`,
  ).join('');
}

const MESSAGE =
  'ACL policy "wild" is too complex to compare: too many rules or parameter values apply to the same requests';
const TO_DO = 'To do: divide the policy, or write fewer patterns for the same paths and parameters.';

test('diff compares the other policies, names the one that is too complex, and exits with 3', async () => {
  const { code, stdout } = await policy('diff', 'old', 'new');
  expect(code).toBe(3);
  expect(stdout).toContain('app\n- read  a\n');
  expect(stdout).toContain(`? not compared: ${MESSAGE}`);
  expect(stdout).toContain(TO_DO);

  const asJson = await policy('diff', 'old', 'new', '--json');
  expect(asJson.code).toBe(3);
  const report = JSON.parse(asJson.stdout) as { policies: { name: string }[]; notCompared: string[] };
  expect(report.policies.map(({ name }) => name)).toEqual(['app']);
  expect(report.notCompared).toEqual([`${MESSAGE}\n${TO_DO}`]);
});

test('diff --fail-on exits with 1 for a difference, also if another policy was not compared', async () => {
  expect((await policy('diff', 'old', 'new', '--fail-on', 'change')).code).toBe(1);
});

test('diff reports no difference for an unchanged policy, however complex it is', async () => {
  const { code, stdout } = await policy('diff', 'old', 'old', '--fail-on', 'change');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'The policies allow the same requests.\n\nBy the rules of server version 1.21.0 (the default).\n',
  });
});

test.each<[string, readonly string[]]>([
  ['list', ['list', 'new/wild.hcl']],
  ['upgrade', ['upgrade', 'new/wild.hcl', '--from', '1.18', '--to', '2.1']],
])('%s reports what is too complex, and exits with 3', async (_name, args) => {
  const { code, stdout, stderr } = await policy(...args);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain(MESSAGE);
});

test.each(['can', 'why'])(
  '%s reports that a request takes too many steps, and exits with 3',
  async (command) => {
    const { code, stdout, stderr } = await policy(command, 'read', 'ab'.repeat(4_000), 'templated.hcl');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(MESSAGE.replace('wild', 'templated'));
  },
);

test.each(['can', 'why'])('%s decides on a request that takes few steps', async (command) => {
  const { code, stdout } = await policy(command, 'read', 'ab', 'templated.hcl');
  expect(code).toBe(1);
  expect(stdout).toContain('denied');
});

test('lint reports that a policy was not checked completely', async () => {
  const { code, stdout } = await policy('lint', 'new/wild.hcl');
  expect(stdout).toContain('the policy was not checked completely');
  expect(stdout).toContain('[too-complex]');
  expect(code).toBe(0);
});
