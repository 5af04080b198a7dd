/** Many objects on a cluster that does not answer, and under an EGP that refuses all of them. */
import { block, startStack, type Stack } from './support';

const COUNT = 30;
const names = Array.from({ length: COUNT }, (_, index) => `p${index}`);
const RULES = 'path "a" { capabilities = ["read"] }';
const policies = names
  .map((name) => block('resource', 'vaultadmin_acl_policy', { cluster: 'us', name, policy: RULES }, name))
  .join('');

const ADMIN = 'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
  stack.resources(policies);
});
afterEach(() => stack.close());

/** Returns the full errors, and the number of errors that consist of one line. */
async function errorsOf(command: 'plan' | 'apply') {
  const { code, errors } = await stack.run(command);
  expect(code).toBe(1);
  const full = errors.filter(({ detail }) => detail !== '');
  return { full, short: errors.length - full.length };
}

test('a cluster that does not answer causes one full error, one line for each further object, and no new requests', async () => {
  await stack.must('apply');
  stack.emulator.faults.inject({ cluster: 'us', status: 503, errors: ['Vault is sealed'] });
  const before = stack.emulator.requests.list().length;
  const { full, short } = await errorsOf('plan');
  expect([full.length, short]).toEqual([1, COUNT - 1]);
  expect(stack.emulator.requests.list().length - before).toBeLessThan(COUNT);
});

test('an EGP that refuses every write causes one full error, which names the EGP', async () => {
  await stack.ask('PUT', 'sys/policies/acl/admin', { policy: ADMIN });
  const { auth } = (await stack.ask('POST', 'auth/token/create', { policies: ['admin'] })) as {
    readonly auth: { readonly client_token: string };
  };
  stack.configure(
    `provider "vaultadmin" {\n  clusters = { us = { address = "${stack.emulator.clusters.us!.address}", token = "${auth.client_token}" } }\n}`,
  );
  await stack.ask('PUT', 'sys/policies/egp/closed', {
    policy:
      'import "strings"\nmain = rule { request.operation in ["read", "list"] or strings.has_prefix(request.path, "sys/policies/egp") }',
    enforcement_level: 'hard-mandatory',
    paths: ['sys/policies/acl/*'],
  });
  const { full, short } = await errorsOf('apply');
  expect([full.length, short]).toEqual([1, COUNT - 1]);
  expect(full[0]!.detail).toContain('closed');
});
