import { allClusters, aclPolicy, providerBlock, startStack, type Stack } from '../support';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
  await stack.ask('POST', 'sys/namespaces/team', {});
  await stack.ask('POST', 'sys/namespaces/app', {}, { namespace: 'team' });
});
afterAll(() => stack.close());

const policies =
  aclPolicy({ name: 'ops', namespace: 'team/app' }, 'ops') +
  aclPolicy({ name: 'dev', namespace: 'team' }, 'dev');
const gone = (name: string, namespace: string) => ({
  summary: `ACL policy "${name}" on cluster "us" is gone: its namespace "${namespace}" no longer exists`,
});
const OPS = 'vaultadmin_acl_policy.ops';
const DEV = 'vaultadmin_acl_policy.dev';

test('objects of a deleted namespace leave the state, and stay if the deletion cannot be confirmed', async () => {
  stack.resources(policies);
  await stack.must('apply');
  await stack.ask('DELETE', 'sys/namespaces/app', undefined, { namespace: 'team' });
  await stack.ask('DELETE', 'sys/namespaces/team');

  // This token may not read the parent namespace.
  const { auth } = await stack.ask('POST', 'auth/token/create', { policies: ['default'] });
  const { address } = stack.emulator.clusters.us!;
  stack.configure(providerBlock(`us = { address = "${address}", token = "${auth!.client_token}" }`));
  const doubtful = await stack.run('plan');
  expect(doubtful.code).toBe(1);
  expect(doubtful.errors).toHaveLength(2);
  expect(await stack.addresses()).toEqual([DEV, OPS]);

  stack.configure(allClusters(stack.emulator));
  const plan = await stack.run('plan');
  expect(plan).toMatchObject({ code: 0, errors: [], planned: { [OPS]: 'create', [DEV]: 'create' } });
  expect(plan.warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining(gone('ops', 'team/app')),
      expect.objectContaining(gone('dev', 'team')),
    ]),
  );
  expect(await stack.run('destroy', '-refresh=false')).toMatchObject({ code: 0, errors: [] });
  expect(await stack.addresses()).toEqual([]);
});

test('an import from a namespace that does not exist is one error, without a warning', async () => {
  stack.workspace.remove('terraform.tfstate');
  stack.configure(allClusters(stack.emulator));
  stack.resources(
    `${aclPolicy({ name: 'ops', namespace: 'nowhere' })}import {\n  to = vaultadmin_acl_policy.it\n  id = "us/nowhere/ops"\n}\n`,
  );
  const { errors, warnings } = await stack.run('plan');
  expect(warnings).toEqual([]);
  expect(errors).toMatchObject([
    {
      summary: 'cannot read ACL policy "ops" on cluster "us": the namespace that it is in does not exist',
      detail: expect.stringContaining(
        'Namespace "nowhere" does not exist: create it first, or correct its name.',
      ),
    },
  ]);
});

test("objects stay in the state if the namespace of the cluster's settings cannot be found", async () => {
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  const { address, rootToken } = stack.emulator.clusters.us!;
  stack.configure(
    providerBlock(`us = { address = "${address}", token = "${rootToken}", namespace = "nowhere" }`),
  );
  const { code, errors } = await stack.run('plan');
  expect(code).toBe(1);
  expect(errors).toMatchObject([{ detail: expect.stringContaining('Namespace "nowhere" does not exist') }]);
  expect(await stack.addresses()).toEqual(['vaultadmin_acl_policy.it']);
});
