import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('policies-of-plans');
});

const READ = 'path "secret/data/*" { capabilities = ["read"] }';
const WRITE = 'path "secret/data/*" { capabilities = ["read", "update"] }';

/** Returns a change of a plan in Terraform's form. */
function change(address: string, actions: readonly string[], values: object): object {
  const [type, name] = address.split('.');
  return { address, mode: 'managed', type, name, change: { actions, before: null, after: null, ...values } };
}

function diff(changes: readonly object[] | string, ...options: readonly string[]) {
  const plan = { format_version: '1.2', resource_changes: changes };
  writeFileSync(join(folder, 'plan.json'), typeof changes === 'string' ? changes : JSON.stringify(plan));
  return vaultAdmin(['policy', 'diff', '--plan', 'plan.json', ...options], {}, folder);
}

const UPDATED = change('vault_policy.app', ['update'], {
  before: { name: 'app', policy: READ, namespace: null },
  after: { name: 'app', policy: WRITE, namespace: null },
  after_unknown: {},
});
const LATE = change('module.a.vault_policy.late', ['create'], {
  after: { name: 'late' },
  after_unknown: { policy: true },
});

test('diff compares policies that a plan updates, creates, deletes and renames, and lists unknown ones', async () => {
  const late = { ...LATE, type: 'vault_policy' };
  const { code, stdout } = await diff([
    UPDATED,
    change('vaultadmin_acl_policy.new', ['create'], {
      after: { name: 'new', policy: READ, namespace: 'team' },
      after_unknown: { id: true },
    }),
    change('vault_policy.old', ['delete'], { before: { name: 'old', policy: READ } }),
    change('vault_policy.renamed', ['delete', 'create'], {
      before: { name: 'a', policy: READ },
      after: { name: 'b', policy: READ },
    }),
    change('vault_policy.same', ['no-op'], {
      before: { name: 'same', policy: READ },
      after: { name: 'same', policy: READ },
    }),
    change('vault_mount.kv', ['create'], { after: { path: 'kv' } }),
    late,
  ]);
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => !line.startsWith('    '))).toEqual([
    '! b may now read all secrets of a mount: read secret/data/*',
    '! team/new may now read all secrets of a mount: read team/secret/data/*',
    '',
    'a',
    '- read  secret/data/*',
    '',
    'app',
    '+ update  secret/data/*',
    '',
    'b',
    '+ read  secret/data/*',
    '',
    'old',
    '- read  secret/data/*',
    '',
    'team/new',
    '+ read  team/secret/data/*',
    '',
    '? module.a.vault_policy.late: the policy is known only when the plan is applied',
    '',
    'By the rules of server version 1.21.0 (the default).',
    '',
  ]);
});

test('an unknown policy counts as a widening for the exit code', async () => {
  const late = { ...LATE, type: 'vault_policy' };
  expect((await diff([UPDATED], '--fail-on', 'widening')).code).toBe(1);
  expect((await diff([late], '--fail-on', 'widening')).code).toBe(1);
  expect(JSON.parse((await diff([late], '--json')).stdout)).toEqual({
    serverVersion: '1.21.0',
    policies: [],
    unknown: ['module.a.vault_policy.late'],
  });
  expect(await diff([], '--fail-on', 'change')).toEqual({
    code: 0,
    stdout: 'The policies allow the same requests.\n\nBy the rules of server version 1.21.0 (the default).\n',
    stderr: '',
  });
});

test.each<[string, string, readonly string[]]>([
  ['a binary plan', 'PK\u0003\u0004', []],
  ['other JSON', '{"resource_changes": []}', []],
  ['a state', '{"format_version": "1.0", "values": {"root_module": {}}}', []],
])('diff refuses %s', async (_what, text, options) => {
  const { code, stderr } = await diff(text, ...options);
  expect(code).toBe(2);
  expect(stderr).toContain(
    'plan.json is not a plan in JSON\nTo do: pass what "terraform show -json <PLAN>" prints.',
  );
});

test.each<[string, object, string]>([
  [
    'the format of a later Terraform',
    { format_version: '2.0', resource_changes: [] },
    'plan.json has the format version 2.0\nAllowed: versions 1.x.\n' +
      'To do: use a later version of this package, or the version of Terraform that it knows.\n',
  ],
  [
    'the plan of a run that failed',
    { format_version: '1.2', errored: true, resource_changes: [] },
    'plan.json is the plan of a run that failed, so it lacks changes\n' +
      'To do: plan again until the plan succeeds.\n',
  ],
])('diff refuses %s', async (_what, plan, why) => {
  const { code, stdout, stderr } = await diff(JSON.stringify(plan));
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `vault-admin: ${why}` });
});

test('diff reads a plan with a byte order mark, and says how to write one that is not UTF-16', async () => {
  const plan = '\uFEFF{"format_version":"1.2","resource_changes":[]}';
  expect(await diff(plan, '--fail-on', 'change')).toMatchObject({ code: 0, stderr: '' });
  writeFileSync(join(folder, 'utf16.json'), Buffer.from(plan, 'utf16le'));
  expect(await vaultAdmin(['policy', 'diff', '--plan', 'utf16.json'], {}, folder)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'vault-admin: utf16.json cannot be read: it is UTF-16 text, and UTF-8 is required ' +
      '(in PowerShell: | Out-File -Encoding utf8)\n',
  });
});

test('diff refuses other sources in addition to a plan', async () => {
  const { code, stderr } = await diff([], '--from-cluster', 'us');
  expect(code).toBe(2);
  expect(stderr).toContain('--plan is compared with itself');
});
