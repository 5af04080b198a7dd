import { aclPolicy, providerBlock, startStack, type Stack } from '../support';

const WRITER = 'path "sys/policies/acl/*" {\n  capabilities = ["create", "read", "update", "delete"]\n}';
const PASSWORD = 'canary-password';

let stack: Stack;
/** The number of tokens on the server before the test. */
let tokensBefore: number;

/** These tests use the executable only, because a login lasts as long as its process. */
beforeEach(async () => {
  stack = await startStack({ executable: true });
  await stack.ask('PUT', 'sys/policies/acl/writer', { policy: WRITER });
  tokensBefore = await tokens();
});
afterEach(() => stack.close());

async function tokens(): Promise<number> {
  const { data } = await stack.ask('GET', 'auth/token/accessors?list=true');
  return (data?.keys as string[]).length;
}

function logIn(login: string): void {
  const { address } = stack.emulator.clusters.us!;
  stack.configure(providerBlock(`us = {\naddress = "${address}"\nauth_login = ${login}\n}`));
}

async function makeUser(namespace = '', { username = 'ci', password = PASSWORD } = {}): Promise<void> {
  await stack.ask('POST', 'sys/auth/userpass', { type: 'userpass' }, { namespace });
  const user = { password, token_policies: 'writer' };
  await stack.ask('POST', `auth/userpass/users/${username}`, user, { namespace });
}

function policies(count: number): string {
  return Array.from({ length: count }, (_, i) => aclPolicy({ name: `p${i}` }, `p${i}`)).join('');
}

test('a login by AppRole is made once for a process that needs it, and revoked when the process ends', async () => {
  await stack.ask('POST', 'sys/auth/approle', { type: 'approle' });
  await stack.ask('POST', 'auth/approle/role/ci', { token_policies: 'writer' });
  const role = await stack.ask('GET', 'auth/approle/role/ci/role-id');
  const secret = await stack.ask('POST', 'auth/approle/role/ci/secret-id');
  const parameters = { role_id: role.data!.role_id, secret_id: secret.data!.secret_id };
  logIn(`{ path = "auth/approle/login", parameters = ${JSON.stringify(parameters)} }`);
  stack.resources(policies(12));

  const login = ['POST auth/approle/login', 'POST auth/token/revoke-self'];
  // A plan with changes looks up the rights of the token.
  expect((await stack.must('plan')).requests).toEqual(login);
  stack.resources('');
  expect((await stack.must('plan')).requests).toEqual([]);
  stack.resources(policies(12));
  const { requests } = await stack.must('apply');
  // Terraform plans in one process, and applies in another one.
  expect(requests.filter((request) => !request.includes('sys/policies'))).toEqual(
    [...login, ...login].sort(),
  );
  // 4 for the logins, a read and a write of each of 12 policies, and one list, which the token may
  // not request.
  expect(requests).toHaveLength(4 + 2 * 12 + 1);
  expect(await tokens()).toBe(tokensBefore);
});

test('a login by AppRole with tokens of two seconds is repeated until 150 policies are written', async () => {
  await stack.ask('POST', 'sys/auth/approle', { type: 'approle' });
  const short = { token_ttl: '2s', token_max_ttl: '2s' };
  await stack.ask('POST', 'auth/approle/role/ci', { token_policies: 'writer', ...short });
  const role = await stack.ask('GET', 'auth/approle/role/ci/role-id');
  const secret = await stack.ask('POST', 'auth/approle/role/ci/secret-id');
  const parameters = { role_id: role.data!.role_id, secret_id: secret.data!.secret_id };
  logIn(`{ path = "auth/approle/login", parameters = ${JSON.stringify(parameters)} }`);
  stack.resources(policies(150));
  // 300 requests, ten at a time, take longer than one token lives.
  stack.emulator.faults.inject({ path: 'sys/policies/acl/*', latencyMs: 100 });

  const { requests } = await stack.must('apply');
  expect(requests.filter((request) => request === 'POST auth/approle/login').length).toBeGreaterThan(1);
  const { data } = await stack.ask('GET', 'sys/policies/acl?list=true');
  expect((data?.keys as string[]).filter((name) => /^p\d/.test(name))).toHaveLength(150);
});

test('a login by user name and password works', async () => {
  await makeUser();
  logIn(`{ method = "userpass", parameters = { username = "ci", password = "${PASSWORD}" } }`);
  stack.resources(policies(1));
  expect((await stack.must('apply')).requests).toContain('POST auth/userpass/login/ci');
  expect((await stack.must('plan')).requests).toEqual([
    'GET sys/policies/acl/p0',
    'POST auth/token/revoke-self',
    'POST auth/userpass/login/ci',
  ]);
  expect(await tokens()).toBe(tokensBefore);
});

test('a login in its own namespace works', async () => {
  await stack.ask('PUT', 'sys/namespaces/team');
  await stack.ask('PUT', 'sys/policies/acl/writer', { policy: WRITER }, { namespace: 'team' });
  await makeUser('team');
  logIn(`{ path = "auth/userpass/login/ci", namespace = "team", parameters = { password = "${PASSWORD}" } }`);
  stack.resources(aclPolicy({ name: 'ops', namespace: 'team' }));
  await stack.must('apply');
  expect((await stack.ask('GET', 'sys/policies/acl/ops', undefined, { namespace: 'team' })).status).toBe(200);
});

test('a login that is refused is tried once by the plan and once by the apply, and shows no secret', async () => {
  await makeUser();
  logIn(`{ path = "auth/userpass/login/ci", parameters = { password = "canary-wrong" } }`);
  stack.resources(policies(12));
  const { code, errors, requests } = await stack.run('apply');
  expect(code).toBe(1);
  expect(requests).toEqual(['POST auth/userpass/login/ci', 'POST auth/userpass/login/ci']);
  expect(errors).toHaveLength(12);
  const { address } = stack.emulator.clusters.us!;
  // The order in which Terraform reads the two policies is not fixed.
  const [first, ...others] = errors.filter(({ summary }) => !summary.includes('see the error about'));
  expect(others).toEqual([]);
  const [, name] = /"(p\d+)"/.exec(first!.summary)!;
  expect(first).toEqual({
    summary: `cannot create ACL policy "${name}" on cluster "us": the login was refused`,
    detail: `Cannot log in at auth/userpass/login/ci on ${address}: the server answered 400 (invalid username or password). Check the login's path, parameters and namespace.
Request: POST /v1/auth/userpass/login/ci (status 400, tried once).
To do: check the settings of cluster "us": those in clusters of the provider's configuration, then the variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.`,
    line: `resource "vaultadmin_acl_policy" "${name}" {`,
  });
  expect(JSON.stringify(errors)).not.toContain('canary');
});

test('names in a login stay readable, so that import commands can be copied; a secret that cannot be hidden is reported', async () => {
  const user = { username: 'policy', password: 'us' };
  await makeUser('', user);
  await stack.ask('PUT', 'sys/policies/acl/ops', { policy: WRITER });
  logIn(`{ method = "userpass", parameters = ${JSON.stringify(user)} }`);
  stack.resources(aclPolicy({ name: 'ops' }));
  const { errors, warnings } = await stack.run('apply');
  expect(errors[0]!.summary).toBe('ACL policy "ops" on cluster "us" already exists');
  expect(errors[0]!.detail).toContain("terraform import vaultadmin_acl_policy.NAME 'us//ops'");
  const told = {
    summary: 'clusters.us.auth_login.parameters.password is too short to be hidden',
    detail:
      'A secret of fewer than 3 characters is part of many words: errors, warnings and logs may show it.\n' +
      'To do: use a longer secret.',
  };
  // The plan and the apply each report it once.
  expect(warnings).toMatchObject([told, told]);
});
