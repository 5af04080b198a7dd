import { startStack, type Stack } from '../support';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  const policy = { policy: 'path "secret/*" { capabilities = ["read"] }' };
  const rule = { policy: 'main = rule { true }', enforcement_level: 'advisory' };
  await stack.ask('POST', 'sys/namespaces/team', {});
  for (const name of ['ops', 'stray', 'vaultadmin-switchover', 'vaultadmin-takeover'])
    await stack.ask('POST', `sys/policies/acl/${name}`, policy);
  await stack.ask('POST', 'team/sys/policies/acl/app', policy);
  await stack.ask('POST', 'sys/policies/rgp/hours', rule);
  await stack.ask('POST', 'sys/policies/egp/net', { ...rule, paths: ['kv/*'] });
  const key = { kms_key: 'alias/a', key_type: 'RSA', key_bits: 2048, access_key: 'A', secret_key: 'S' };
  await stack.ask('POST', 'sys/managed-keys/awskms/signing', key);
  await stack.ask('POST', 'sys/audit/log', { type: 'syslog' });
});
afterEach(() => stack.close());

async function unmanagedWith(config: string): Promise<unknown> {
  stack.resources(`data "vaultadmin_unmanaged" "it" {\n${config}\n}\n`);
  await stack.must('apply');
  return (await stack.workspace.state())['data.vaultadmin_unmanaged.it']!.unmanaged;
}

test('objects of all kinds that are not declared are listed, except those that servers create', async () => {
  const kinds = ['acl_policies', 'rgp_policies', 'egp_policies', 'managed_keys', 'auto_snapshots'];
  const config = [...kinds, 'audit_devices', 'namespaces'].map((kind) => `  ${kind} = []`).join('\n');
  expect(await unmanagedWith(config)).toEqual([
    'vaultadmin_acl_policy us//ops',
    'vaultadmin_acl_policy us//stray',
    'vaultadmin_rgp_policy us//hours',
    'vaultadmin_egp_policy us//net',
    'vaultadmin_managed_key us//awskms/signing',
    'vaultadmin_audit_device us//log',
    'vaultadmin_namespace us//team',
  ]);
});

test('declared objects are not listed, and objects of a kind for which no names are declared are not listed either', async () => {
  expect(await unmanagedWith('  acl_policies = ["ops"]\n  managed_keys = ["awskms/signing"]')).toEqual([
    'vaultadmin_acl_policy us//stray',
  ]);
  expect(await unmanagedWith('  namespace = "team"\n  acl_policies = []')).toEqual([
    'vaultadmin_acl_policy us/team//app',
  ]);
  expect(await unmanagedWith('  cluster = "us"')).toEqual([]);
});

test('a check block warns of objects that are not declared', async () => {
  stack.resources(`
    check "declared" {
      data "vaultadmin_unmanaged" "it" {
        acl_policies = ["ops"]
      }
      assert {
        condition     = length(data.vaultadmin_unmanaged.it.unmanaged) == 0
        error_message = "Not declared: \${join(", ", data.vaultadmin_unmanaged.it.unmanaged)}."
      }
    }
  `);
  const { code, warnings } = await stack.run('apply');
  expect(code).toBe(0);
  expect(warnings.map(({ detail }) => detail)).toContain('Not declared: vaultadmin_acl_policy us//stray.');
  await stack.ask('DELETE', 'sys/policies/acl/stray');
  expect((await stack.run('plan')).warnings).toEqual([]);
});

test('a list that cannot be read is an error, not an empty list', async () => {
  await stack.ask('DELETE', 'sys/namespaces/team');
  stack.resources('data "vaultadmin_unmanaged" "it" {\n  namespace = "none"\n  acl_policies = []\n}\n');
  expect((await stack.run('plan')).errors).toEqual([
    expect.objectContaining({ summary: expect.stringContaining('cannot list ACL policies on cluster "us"') }),
  ]);
});
