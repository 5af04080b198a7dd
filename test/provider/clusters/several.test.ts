import { aclPolicy, POLICY, providerBlock, startStack, type Stack } from '../support';

let stack: Stack;
afterEach(() => stack.close());

test('an object is created on the cluster that it names', async () => {
  stack = await startStack({ clusters: { us: 0, eu: 0 } });
  stack.resources(
    aclPolicy({ name: 'ops', cluster: 'us' }, 'us') +
      aclPolicy({ name: 'ops', cluster: 'eu', policy: '# eu' }, 'eu'),
  );
  await stack.must('apply');
  expect((await stack.ask('GET', 'sys/policies/acl/ops')).data).toMatchObject({ policy: POLICY });
  expect((await stack.ask('GET', 'sys/policies/acl/ops', undefined, { cluster: 'eu' })).data).toMatchObject({
    policy: '# eu',
  });
  expect((await stack.must('plan')).planned).toEqual({});

  // A change of the cluster replaces the object.
  stack.resources(
    aclPolicy({ name: 'ops', cluster: 'us' }, 'us') + aclPolicy({ name: 'ops2', cluster: 'us' }, 'eu'),
  );
  expect((await stack.must('apply')).planned).toEqual({ 'vaultadmin_acl_policy.eu': 'replace' });
  expect((await stack.ask('GET', 'sys/policies/acl/ops', undefined, { cluster: 'eu' })).status).toBe(404);
  expect((await stack.ask('GET', 'sys/policies/acl/ops2')).status).toBe(200);
});

test('an object may name the only cluster, or leave it out', async () => {
  stack = await startStack();
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  stack.resources(aclPolicy({ name: 'ops', cluster: 'us' }));
  expect((await stack.must('plan')).planned).toEqual({});
});

test('an object on the first cluster has to name it once there is a second cluster', async () => {
  stack = await startStack();
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  const { address, rootToken } = stack.emulator.clusters.us!;
  const settings = `{ address = "${address}", token = "${rootToken}" }`;
  stack.configure(providerBlock(`us = ${settings}\neu = ${settings}`));
  expect((await stack.run('plan')).errors).toMatchObject([
    { summary: 'ACL policy "ops": cluster is not set' },
  ]);

  stack.resources(aclPolicy({ name: 'ops', cluster: 'us' }));
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a cluster that is not configured any more keeps its objects in the state', async () => {
  stack = await startStack();
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  const { address, rootToken } = stack.emulator.clusters.us!;
  stack.configure(providerBlock(`usa = { address = "${address}", token = "${rootToken}" }`));
  expect((await stack.run('plan')).errors).toEqual([
    {
      summary: 'ACL policy "ops" on cluster "us": the cluster is no longer configured',
      detail:
        'The state says that the object is on cluster "us".\n' +
        'Configured clusters: "usa".\n' +
        `To do: add "us" to clusters in the provider's configuration again. If the cluster was renamed, ` +
        'remove the object from the state (terraform state rm) and import it from the cluster with the new name.',
      line: 'resource "vaultadmin_acl_policy" "it" {',
    },
  ]);
  expect(await stack.addresses()).toEqual(['vaultadmin_acl_policy.it']);
});

test("the namespace of an object is below the namespace in the cluster's settings", async () => {
  stack = await startStack({
    provider: ({ clusters }) =>
      providerBlock(
        `us = { address = "${clusters.us!.address}", token = "${clusters.us!.rootToken}", namespace = "admin" }`,
      ),
  });
  await stack.ask('PUT', 'sys/namespaces/admin');
  await stack.ask('PUT', 'sys/namespaces/team', {}, { namespace: 'admin' });
  stack.resources(
    aclPolicy({ name: 'above' }, 'above') + aclPolicy({ name: 'below', namespace: 'team' }, 'below'),
  );
  await stack.must('apply');
  expect((await stack.ask('GET', 'sys/policies/acl/above', undefined, { namespace: 'admin' })).status).toBe(
    200,
  );
  expect(
    (await stack.ask('GET', 'sys/policies/acl/below', undefined, { namespace: 'admin/team' })).status,
  ).toBe(200);
  expect((await stack.workspace.state())['vaultadmin_acl_policy.below']).toMatchObject({
    id: 'us/team//below',
  });
});

describe('settings that are known only after an apply', () => {
  const later = (attribute: string) => `
    resource "terraform_data" "server" {
      input = ${JSON.stringify(attribute)}
    }
  `;

  test('a create waits for the settings of its cluster', async () => {
    stack = await startStack({
      provider: ({ clusters }) =>
        providerBlock(`us = { address = terraform_data.server.output, token = "${clusters.us!.rootToken}" }`),
    });
    stack.resources(later(stack.emulator.clusters.us!.address) + aclPolicy({ name: 'ops' }));
    expect(await stack.must('plan')).toMatchObject({ requests: [] });
    await stack.must('apply');
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('a refresh fails and names the settings that are unknown', async () => {
    stack = await startStack();
    stack.resources(aclPolicy({ name: 'ops' }));
    await stack.must('apply');
    stack.configure(providerBlock('us = { address = terraform_data.server.output }'));
    stack.resources(later('http://127.0.0.1:1') + aclPolicy({ name: 'ops' }));
    expect((await stack.run('plan')).errors).toEqual([
      {
        summary: 'ACL policy "ops" on cluster "us": the cluster cannot be reached yet',
        detail:
          "Known only after an apply, in the provider's configuration: address.\n" +
          'To do: apply what this depends on first (terraform apply -target=...), then everything.',
        line: 'resource "vaultadmin_acl_policy" "it" {',
      },
    ]);
    expect(await stack.addresses()).toEqual(['vaultadmin_acl_policy.it']);
  });

  test('an object may name its cluster, or leave it out, while the names of clusters are unknown', async () => {
    stack = await startStack({
      provider: () => 'provider "vaultadmin" {\n  clusters = terraform_data.server.output\n}',
    });
    const { address, rootToken } = stack.emulator.clusters.us!;
    stack.resources(`
      resource "terraform_data" "server" {
        input = { us = { address = "${address}", token = "${rootToken}" } }
      }
      ${aclPolicy({ name: 'ops' })}
      ${aclPolicy({ name: 'named', cluster: 'us' }, 'named')}`);
    await stack.must('apply');
    expect((await stack.workspace.state())['vaultadmin_acl_policy.it']).toMatchObject({
      id: 'us//ops',
      cluster: 'us',
    });
  });
});
