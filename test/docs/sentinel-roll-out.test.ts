/**
 * Follows the section of the page `sentinel` about rolling out: the same policy at all three
 * levels, with the real terraform.
 */
import { allClusters, startStack, type Stack } from '../provider/support';
import { blocksOf } from './support/page';

const PAGE = 'docs/guides/sentinel.md';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const [resource] = blocksOf(PAGE).filter(({ language }) => language === 'terraform');
const [policy] = blocksOf(PAGE).filter(({ language }) => language === 'sentinel');

let stack: Stack;
let token: string;
beforeAll(async () => {
  stack = await startStack({ provider: allClusters });
  const { clock } = stack.emulator;
  clock.freeze();
  // The server's time becomes eight in the evening.
  clock.advance((20 * HOUR - (clock.now() % DAY) + DAY) % DAY);
  stack.workspace.write('hours.sentinel', policy!.text);
  await stack.ask('POST', 'sys/mounts/secret', { type: 'kv', options: { version: '2' } });
  await stack.ask('PUT', 'sys/policies/acl/writer', {
    policy: 'path "secret/*" {\n  capabilities = ["create", "read", "update"]\n}\n',
  });
  const { auth } = await stack.ask('POST', 'auth/token/create', { policies: ['writer'] });
  token = auth!.client_token;
});
afterAll(() => stack.close());

/**
 * Writes a secret. Returns the status, and the effects of the policy failures that the server logs
 * for it.
 */
async function write(headers: Readonly<Record<string, string>> = {}) {
  const { address, rootToken } = stack.emulator.clusters.us!;
  const failures = async () => {
    const response = await fetch(`${address}/emulator/v1/policy-failures`, {
      headers: { 'X-Vault-Token': rootToken },
    });
    const { failures: list } = (await response.json()) as {
      failures: readonly { readonly effect: string }[];
    };
    return list.map(({ effect }) => effect);
  };
  const before = await failures();
  const { status } = await fetch(`${address}/v1/secret/data/app`, {
    method: 'POST',
    headers: { 'X-Vault-Token': token, ...headers },
    body: '{"data": {"a": 1}}',
  });
  return { status, logged: (await failures()).slice(before.length) };
}

const OVERRIDE = { 'X-Vault-Policy-Override': 'true' };

test('a policy is rolled out from advisory to hard-mandatory', async () => {
  const level = async (written: string) => {
    stack.resources(resource!.text.replace('"advisory"', JSON.stringify(written)));
    const { planned } = await stack.must('apply');
    return planned;
  };
  expect(resource!.text).toContain('"advisory"');
  expect(await level('advisory')).toEqual({ 'vaultadmin_egp_policy.hours': 'create' });
  expect(await write()).toEqual({ status: 200, logged: ['advisory'] });

  expect(await level('soft-mandatory')).toEqual({ 'vaultadmin_egp_policy.hours': 'update' });
  expect(await write()).toEqual({ status: 403, logged: ['denied'] });
  expect(await write(OVERRIDE)).toEqual({ status: 200, logged: ['overridden'] });

  expect(await level('hard-mandatory')).toEqual({ 'vaultadmin_egp_policy.hours': 'update' });
  expect(await write()).toEqual({ status: 403, logged: ['denied'] });
  expect(await write(OVERRIDE)).toEqual({ status: 403, logged: ['denied'] });
  const { rootToken } = stack.emulator.clusters.us!;
  expect(await write({ 'X-Vault-Token': rootToken })).toEqual({ status: 200, logged: [] });

  // During the day no request is denied.
  stack.emulator.clock.advance(14 * HOUR);
  expect(await write()).toEqual({ status: 200, logged: [] });
});
