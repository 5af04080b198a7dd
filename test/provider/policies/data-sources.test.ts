import { block, startStack, type Stack } from '../support';

let stack: Stack;
const sentinel = { policy: 'main = rule { true }', enforcement_level: 'advisory' };

beforeAll(async () => {
  stack = await startStack({ clusters: { us: 0, eu: 0 } });
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: '# ops' });
  await stack.ask('PUT', 'sys/policies/acl/audit', { policy: '# audit' });
  await stack.ask('PUT', 'sys/policies/rgp/hours', sentinel);
  await stack.ask('PUT', 'sys/policies/egp/ops', { ...sentinel, paths: ['secret/*', 'kv/app'] });
  await stack.ask('PUT', 'sys/policies/egp/all', { ...sentinel, paths: ['*'] });
  await stack.ask('PUT', 'sys/namespaces/team');
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: '# of team' }, { namespace: 'team' });
});
afterEach(() => stack.workspace.remove('terraform.tfstate'));
afterAll(() => stack.close());

/** The values that a data source reads. */
async function read(type: string, attributes: object): Promise<Record<string, unknown>> {
  stack.resources(`${block('data', type, attributes)}\noutput "it" {\n  value = data.${type}.it\n}`);
  const { planned_values: values } = (await stack.workspace.plan()) as {
    planned_values?: { outputs: { it: { value: Record<string, unknown> } } };
  };
  return values!.outputs.it.value;
}

async function errorsOf(type: string, attributes: object) {
  stack.resources(block('data', type, attributes));
  return (await stack.run('plan')).errors;
}

test('the data source returns an ACL policy', async () => {
  expect(await read('vaultadmin_acl_policy', { cluster: 'us', name: 'ops' })).toEqual({
    id: 'us//ops',
    cluster: 'us',
    namespace: null,
    name: 'ops',
    policy: '# ops',
  });
});

test('the data source returns an ACL policy of a namespace', async () => {
  expect(
    await read('vaultadmin_acl_policy', { cluster: 'us', namespace: 'team', name: 'ops' }),
  ).toMatchObject({
    id: 'us/team//ops',
    namespace: 'team',
    policy: '# of team',
  });
});

test('the data source returns the policy root, which has no text', async () => {
  expect(await read('vaultadmin_acl_policy', { cluster: 'us', name: 'root' })).toMatchObject({ policy: '' });
});

test('the data source returns an RGP policy', async () => {
  expect(await read('vaultadmin_rgp_policy', { cluster: 'us', name: 'hours' })).toEqual({
    id: 'us//hours',
    cluster: 'us',
    namespace: null,
    name: 'hours',
    ...sentinel,
  });
});

test('the data source returns an EGP policy', async () => {
  expect(await read('vaultadmin_egp_policy', { cluster: 'us', name: 'ops' })).toEqual({
    id: 'us//ops',
    cluster: 'us',
    namespace: null,
    name: 'ops',
    ...sentinel,
    paths: ['kv/app', 'secret/*'],
  });
});

test('the data source refuses a policy that does not exist', async () => {
  expect(
    await errorsOf('vaultadmin_acl_policy', { cluster: 'us', namespace: 'team', name: 'nobody' }),
  ).toEqual([
    {
      summary: 'ACL policy "nobody" on cluster "us" does not exist',
      detail:
        'Looked in namespace "team".\nTo do: check the cluster, the namespace and the name, or create the object first.',
      line: 'name = "nobody"',
    },
  ]);
});

test('the list contains the names of all ACL policies', async () => {
  expect(await read('vaultadmin_acl_policies', { cluster: 'us' })).toEqual({
    cluster: 'us',
    namespace: null,
    names: ['audit', 'default', 'ops', 'root'],
  });
});

test('the list contains the names of all RGP policies', async () => {
  expect(await read('vaultadmin_rgp_policies', { cluster: 'us' })).toMatchObject({ names: ['hours'] });
});

test('the list is empty if there are no RGP policies', async () => {
  expect(await read('vaultadmin_rgp_policies', { cluster: 'us', namespace: 'team' })).toMatchObject({
    names: [],
  });
});

test('the list contains all EGP policies, with their paths', async () => {
  expect(await read('vaultadmin_egp_policies', { cluster: 'us' })).toEqual({
    cluster: 'us',
    namespace: null,
    names: ['all', 'ops'],
    paths: { all: ['*'], ops: ['kv/app', 'secret/*'] },
  });
});

test('a list that the token may not read is an error', async () => {
  stack.emulator.faults.inject({
    path: 'sys/policies/rgp',
    status: 403,
    errors: ['permission denied'],
    count: 1,
  });
  const [error] = await errorsOf('vaultadmin_rgp_policies', { cluster: 'us' });
  expect(error!.summary).toBe('cannot list RGP policies on cluster "us": permission denied');
  expect(error!.detail).toContain('Request: GET /v1/sys/policies/rgp (status 403, tried once).');
});

test('a data source on a cluster that is not configured is an error', async () => {
  expect(await errorsOf('vaultadmin_acl_policies', { cluster: 'uk' })).toMatchObject([
    { summary: 'ACL policies: cluster "uk" is not configured', line: 'cluster = "uk"' },
  ]);
});
