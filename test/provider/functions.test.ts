import { ArgumentError } from '../../src/plugin';
import { FUNCTIONS } from '../../src/provider/functions';
import { startStack } from './support';

const call = (name: string, ...args: unknown[]) =>
  FUNCTIONS.find((each) => each.name === name)!.call(...args);

test('policy_document writes rules, and refuses rules that the server would refuse', () => {
  const rules = [
    { path: 'secret/data/*', capabilities: ['read', 'list'] },
    { path: 'sys/mounts', capabilities: ['deny'] },
  ];
  expect(call('policy_document', rules)).toBe(
    'path "secret/data/*" {\n  capabilities = ["read", "list"]\n}\n\npath "sys/mounts" {\n  capabilities = ["deny"]\n}\n',
  );
  expect(() => call('policy_document', [{ path: 'a', capabilities: ['fly'] }])).toThrow(ArgumentError);
  expect(() => call('policy_document', [{ path: 'a', capabilities: ['fly'] }])).toThrow(
    'invalid capability "fly"',
  );
});

test('policy_check lists what is wrong', () => {
  expect(call('policy_check', 'path "a" { capabilities = ["read"] }')).toEqual([]);
  expect(call('policy_check', 'path "a" { capabilities = ["fly"] }')).toEqual([
    expect.stringContaining('invalid capability "fly"'),
  ]);
  expect(call('policy_check', 'path "v1/a" { capabilities = ["read"] }')).toEqual([
    expect.stringContaining('begins with "v1/"'),
  ]);
});

test("import_id and parse_import_id are each other's inverse", () => {
  expect(call('import_id', 'us', '/team/', 'ops')).toBe('us/team//ops');
  expect(call('import_id', 'us', null, 'pkcs11/signing')).toBe('us//pkcs11/signing');
  expect(call('parse_import_id', 'us/team//ops')).toEqual({ cluster: 'us', namespace: 'team', name: 'ops' });
  expect(call('parse_import_id', 'us//pkcs11/signing')).toEqual({
    cluster: 'us',
    namespace: '',
    name: 'pkcs11/signing',
  });
  expect(() => call('import_id', '', null, 'ops')).toThrow('must not be empty');
  expect(() => call('parse_import_id', 'us/ops')).toThrow(
    'must have the form cluster/namespace//name, got "us/ops"',
  );
  expect(() => call('parse_import_id', 'us//')).toThrow('has no name');
  expect(() => call('import_id', 'us', '../x', 'ops')).toThrow('cannot be the path of a namespace');
  expect(() => call('parse_import_id', 'us/../x//ops')).toThrow(
    '"../x", which cannot be the path of a namespace',
  );
});

test.each([
  ['secret/data/app', 'secret/'],
  ['/sys/mounts', 'sys/'],
  ['auth/userpass/users/alice', 'auth/userpass/'],
])('mount_of(%j) returns the mount', (path, mount) => {
  expect(call('mount_of', path)).toBe(mount);
});

test.each(['', '/', 'auth/'])('mount_of(%j) is refused', (path) => {
  expect(() => call('mount_of', path)).toThrow('must contain a mount');
});

test('Terraform calls the functions without a cluster', async () => {
  await using stack = await startStack({ provider: () => '' });
  stack.resources(`
output "id" {
  value = provider::vaultadmin::import_id("us", null, "ops")
}
output "policy" {
  value = provider::vaultadmin::policy_document([{ path = "secret/*", capabilities = ["read"] }])
}
`);
  await stack.must('apply');
  const { stdout } = await stack.workspace.must('output', '-json');
  expect(JSON.parse(stdout)).toMatchObject({
    id: { value: 'us//ops' },
    policy: { value: 'path "secret/*" {\n  capabilities = ["read"]\n}\n' },
  });
  stack.resources(
    'output "policy" {\n  value = provider::vaultadmin::policy_document([{ path = "a", capabilities = ["fly"] }])\n}\n',
  );
  const { errors } = await stack.run('plan');
  expect(errors[0]).toMatchObject({ summary: 'Invalid function argument' });
  expect(errors[0]!.detail).toContain('invalid capability "fly"');
});
