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

(mirror ? test : test.skip)('policies of hashicorp/vault are moved: only the state changes', async () => {
  const { address, rootToken } = stack.emulator.clusters.us!;
  const upstream = `provider "vault" {\n  address = "${address}"\n  token   = "${rootToken}"\n}\n`;
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
