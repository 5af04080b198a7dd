import { POLICY, startStack, type Stack } from '../provider/support';
import { upstreamMirror, upstreamMissing } from '../support/upstream-mirror';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const policy = JSON.stringify(POLICY);
const sentinel = 'policy = "main = rule { true }"\n  enforcement_level = "advisory"';
const policies = (prefix: string) => `
resource "${prefix}_policy" "a" {
  name   = "a"
  policy = ${policy}
}
resource "${prefix.replace('_acl', '')}_rgp_policy" "b" {
  name = "b"
  ${sentinel}
}
resource "${prefix.replace('_acl', '')}_egp_policy" "c" {
  name  = "c"
  paths = ["kv/*"]
  ${sentinel}
}
`;
const moved = [
  ['vault_policy.a', 'vaultadmin_acl_policy.a'],
  ['vault_rgp_policy.b', 'vaultadmin_rgp_policy.b'],
  ['vault_egp_policy.c', 'vaultadmin_egp_policy.c'],
].map(([from, to]) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`);

const withUpstream = mirror ? test : test.skip;

/** Returns the block of hashicorp/vault. */
function upstreamBlock(): string {
  const { address, rootToken } = stack.emulator.clusters.us!;
  return `provider "vault" {\n  address = "${address}"\n  token   = "${rootToken}"\n}\n`;
}

withUpstream('policies of hashicorp/vault are moved: only the state changes', async () => {
  const upstream = upstreamBlock();
  stack.resources(upstream + policies('vault'));
  await stack.workspace.init(`-plugin-dir=${mirror}`);
  await stack.workspace.apply();

  stack.resources(upstream + policies('vaultadmin_acl') + moved.join(''));
  const { code, errors, planned, requests } = await stack.run('apply');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(Object.values(planned).filter((action) => action !== 'move' && action !== 'noop')).toEqual([]);
  expect(requests.filter((request) => /^(POST|PUT|DELETE) sys/.test(request))).toEqual([]);
  expect(await stack.addresses()).toEqual([
    'vaultadmin_acl_policy.a',
    'vaultadmin_egp_policy.c',
    'vaultadmin_rgp_policy.b',
  ]);
  expect((await stack.must('plan')).planned).toEqual({});
});

const MOVED = `
moved {
  from = vault_managed_keys.all
  to   = vaultadmin_managed_key.signing
}
moved {
  from = vault_raft_snapshot_agent_config.nightly
  to   = vaultadmin_auto_snapshot.nightly
}
`;
const keyBlock = (name: string) => `
  pkcs {
    name = "${name}"
    library = "hsm"
    key_label = "${name}"
    key_id = "${name}"
    mechanism = "0x0001"
    pin = "canary-pin"
    slot = "1"
    key_bits = "2048"
    allow_generate_key = true
  }`;
const keysAndSnapshots = (keys: readonly string[]) => `
resource "vault_managed_keys" "all" {${keys.map(keyBlock).join('')}
}
resource "vault_raft_snapshot_agent_config" "nightly" {
  name             = "nightly"
  interval_seconds = 86400
  retain           = 7
  path_prefix      = "/snapshots"
  storage_type     = "local"
  local_max_space  = 1000000
}
`;
const OURS = `
resource "vaultadmin_managed_key" "signing" {
  name               = "signing"
  allow_generate_key = true
  pkcs11 {
    library            = "hsm"
    key_label          = "signing"
    key_id             = "signing"
    mechanism          = "0x0001"
    pin_wo             = "canary-pin"
    pin_wo_version     = 1
    slot               = "1"
    key_bits           = 2048
  }
}
resource "vaultadmin_auto_snapshot" "nightly" {
  name        = "nightly"
  interval    = "24h"
  retain      = 7
  path_prefix = "/snapshots"
  local {
    local_max_space = 1000000
  }
}
`;

withUpstream('a key and a snapshot of hashicorp/vault are moved; of several keys none is', async () => {
  const upstream = upstreamBlock();
  stack.resources(upstream + keysAndSnapshots(['signing', 'backup']));
  await stack.workspace.init(`-plugin-dir=${mirror}`);
  await stack.workspace.apply();
  stack.resources(upstream + OURS + MOVED);
  const { errors: refused } = await stack.run('plan');
  expect(refused).toEqual([
    expect.objectContaining({
      summary: 'vault_managed_keys can only be moved if it holds one key',
      detail: expect.stringContaining('Received: 2 keys: pkcs11/backup, pkcs11/signing.') as unknown,
    }),
  ]);

  stack.resources(upstream + keysAndSnapshots(['signing']));
  await stack.workspace.apply();
  stack.resources(upstream + OURS + MOVED);
  const { code, errors, planned, requests } = await stack.run('apply');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(planned).toEqual({
    'vaultadmin_auto_snapshot.nightly': 'move',
    // The server does not return the PIN, so it is written once more.
    'vaultadmin_managed_key.signing': 'update',
  });
  expect(requests.filter((request) => /^(POST|PUT|DELETE) sys/.test(request))).toEqual([
    'POST sys/managed-keys/pkcs11/signing',
  ]);
  expect(await stack.addresses()).toEqual([
    'vaultadmin_auto_snapshot.nightly',
    'vaultadmin_managed_key.signing',
  ]);
  expect((await stack.must('plan')).planned).toEqual({});
});
