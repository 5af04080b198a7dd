import { aclPolicy, providerBlock, startStack, type Stack } from '../support';

/** These tests use the executable only, because it reads its own environment. */
let stack: Stack;
afterEach(() => stack.close());

test('the usual variables suffice to configure the provider', async () => {
  stack = await startStack({
    executable: true,
    provider: () => '',
    env: ({ clusters }) => ({ VAULT_ADDR: clusters.us!.address, VAULT_TOKEN: clusters.us!.rootToken }),
  });
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  expect((await stack.workspace.state())['vaultadmin_acl_policy.it']).toMatchObject({ id: 'default//ops' });
});

test('the provider uses the token that `vault login` left in the home folder', async () => {
  stack = await startStack({
    executable: true,
    provider: () => '',
    env: ({ clusters }) => ({ VAULT_ADDR: clusters.us!.address }),
  });
  stack.workspace.write('../.vault-token', stack.emulator.clusters.us!.rootToken);
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
});

test('each of several clusters has its own set of variables', async () => {
  stack = await startStack({
    clusters: { us: 0, eu: 0 },
    executable: true,
    provider: () => providerBlock('us = {}\neu = {}'),
    env: ({ clusters: { us, eu } }) => ({
      VAULTADMIN_US_ADDR: us!.address,
      VAULTADMIN_US_TOKEN: us!.rootToken,
      VAULTADMIN_EU_ADDR: eu!.address,
      VAULTADMIN_EU_TOKEN: eu!.rootToken,
      VAULT_ADDR: 'http://127.0.0.1:1',
      VAULT_TOKEN: 'hvs.of-nobody',
    }),
  });
  stack.resources(
    aclPolicy({ name: 'ops', cluster: 'us' }, 'us') + aclPolicy({ name: 'ops', cluster: 'eu' }, 'eu'),
  );
  await stack.must('apply');
  expect((await stack.ask('GET', 'sys/policies/acl/ops')).status).toBe(200);
  expect((await stack.ask('GET', 'sys/policies/acl/ops', undefined, { cluster: 'eu' })).status).toBe(200);
});

test('a variable with an invalid value is an error that names the variable', async () => {
  stack = await startStack({
    executable: true,
    provider: () => providerBlock('us = {}'),
    env: () => ({ VAULTADMIN_US_ADDR: 'vault.example' }),
  });
  stack.resources(aclPolicy({ name: 'ops' }));
  expect((await stack.run('plan')).errors).toEqual([
    {
      summary: 'cluster "us": an environment variable is not valid',
      detail:
        'VAULTADMIN_US_ADDR is not valid: received "vault.example"; ' +
        'allowed: a URL such as https://vault.example.com:8200, without user name, query and fragment.',
      line: 'provider "vaultadmin" {',
    },
  ]);
});
