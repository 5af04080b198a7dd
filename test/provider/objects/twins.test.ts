import { aclPolicy, startStack, type Stack } from '../support';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ clusters: { us: 0 } });
});
afterEach(() => stack.close());

test('a plan with two resources of one name is refused, also with for_each and modules', async () => {
  const summary = 'ACL policy "ops" on cluster "us" is in the configuration twice';
  const other = aclPolicy({ name: 'ops', policy: 'path "a" { capabilities = ["read"] }' }, 'other');
  const errors = async (hcl: string, ...args: readonly string[]) => {
    stack.resources(hcl);
    return (await stack.run('plan', ...args)).errors.map((error) => error.summary);
  };
  expect(await errors(aclPolicy({ name: 'ops' }) + other)).toEqual([summary]);
  const each = aclPolicy({ name: 'ops' }).replace('{', '{\n  for_each = toset(["a", "b"])');
  expect(await errors(each)).toEqual([summary]);
  stack.workspace.write(
    'team/main.tf',
    `terraform {\n  required_providers {\n    vaultadmin = { source = "vault-admin.internal/cdktf/vaultadmin" }\n  }\n}\n${other}`,
  );
  const inModule = 'module "team" {\n  source = "./team"\n}\n';
  stack.resources(inModule);
  await stack.workspace.run('get');
  expect(await errors(aclPolicy({ name: 'ops' }) + inModule)).toEqual([summary]);

  // A resource that is in the state is no twin of itself, also if it is replaced or tainted.
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  expect(await errors(aclPolicy({ name: 'ops' }) + other)).toEqual([summary]);
  expect(await errors(aclPolicy({ name: 'new' }) + aclPolicy({ name: 'new' }, 'other'))).toEqual([
    summary.replace('ops', 'new'),
  ]);
  expect(await errors(aclPolicy({ name: 'ops' }), '-replace=vaultadmin_acl_policy.it')).toEqual([]);
  await stack.workspace.run('taint', 'vaultadmin_acl_policy.it');
  expect(await errors(aclPolicy({ name: 'ops' }))).toEqual([]);
  await stack.must('apply');
  expect(await errors(aclPolicy({ name: 'new' }))).toEqual([]);
  await stack.must('apply');
});
