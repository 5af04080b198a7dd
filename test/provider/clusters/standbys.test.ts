import type { SeedWrite } from '../../../src/emulator';
import { providerBlock, startStack } from '../support';

/** Objects of each kind, and a replication set, which reads several times after its writes. */
const resources = (policy: string, primary: string, secondary: string) => `
resource "vaultadmin_acl_policy" "it" {
  cluster = "us"
  name    = "ops"
  policy  = ${JSON.stringify(policy)}
}
resource "vaultadmin_managed_key" "it" {
  cluster = "us"
  name    = "signing"
  awskms {
    kms_key  = "alias/one"
    key_type = "ECDSA"
    curve    = "P256"
    region   = "eu-central-1"
  }
}
resource "vaultadmin_auto_snapshot" "it" {
  cluster     = "us"
  name        = "yearly"
  interval    = "8760h"
  path_prefix = "/tmp/never-written"
  local {
    local_max_space = 1000000
  }
}
resource "vaultadmin_perf_replication_set" "it" {
  primary     = "${primary}"
  secondaries = { ${secondary} = { everything = true, confirm_data_loss = "${secondary}" } }
}
`;

/**
 * A user who may do everything. The user can log in before the clusters join a set, and afterwards.
 */
const USER: readonly SeedWrite[] = [
  {
    path: 'sys/policies/acl/admin',
    body: { policy: 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }' },
  },
  { path: 'sys/auth/userpass', body: { type: 'userpass' } },
  { path: 'auth/userpass/users/admin', body: { password: 'example', token_policies: ['admin'] } },
];
const LOGIN = '{ path = "auth/userpass/login/admin", parameters = { password = "example" } }';

test('objects of all kinds are managed through performance standbys that forward or redirect requests', async () => {
  // GIVEN each cluster has the address of a standby, which is five seconds late after each change
  // of mode
  await using stack = await startStack({
    clusters: { us: 0, eu: 0 },
    rootToken: 'root',
    standbys: 1,
    seed: { clusters: { us: USER, eu: USER } },
    leaping: true,
    provider: ({ clusters }) =>
      providerBlock(
        Object.values(clusters)
          .map(
            ({ name, nodes }) =>
              `${name} = { address = "${nodes.all[1]!.address}", max_retries = 5, auth_login = ${LOGIN} }`,
          )
          .join('\n'),
      ),
  });
  stack.resources(resources('path "a" { capabilities = ["read"] }', 'us', 'eu'));
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});
  expect(await stack.ask('GET', 'sys/replication/performance/status')).toMatchObject({
    data: { mode: 'primary', known_secondaries: ['eu'] },
  });

  // WHEN the standbys redirect requests
  for (const { nodes } of Object.values(stack.emulator.clusters)) nodes.forwards = false;
  stack.resources(resources('path "b" { capabilities = ["read"] }', 'eu', 'us'));
  expect((await stack.must('apply')).planned).toEqual({
    'vaultadmin_acl_policy.it': 'update',
    'vaultadmin_perf_replication_set.it': 'update',
  });
  expect((await stack.must('plan')).planned).toEqual({});
  expect(await stack.ask('GET', 'sys/policies/acl/ops')).toMatchObject({
    data: { policy: 'path "b" { capabilities = ["read"] }' },
  });
  expect(
    await stack.ask('GET', 'sys/replication/performance/status', undefined, { cluster: 'eu' }),
  ).toMatchObject({
    data: { mode: 'primary', known_secondaries: ['us'] },
  });
});
