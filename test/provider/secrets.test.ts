import { aclPolicy, providerBlock, startStack, type Stack, type StackOptions } from './support';

let stack: Stack;
afterEach(() => stack.close());

/** With the executable, whose log is written down to the last detail. */
function start(options: StackOptions = {}): Promise<Stack> {
  return startStack({ rootToken: 'hvs.canary-root', ...options, executable: true });
}

/**
 * Everything that is printed, logged and stored while a policy is created, found changed by an error, and destroyed.
 * Secrets come through an ephemeral variable: Terraform itself writes others into plans.
 */
async function traces(hcl: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const declarations = Object.keys(variables).map(
    (name) => `variable "${name}" {\n  type = string\n  sensitive = true\n  ephemeral = true\n}\n`,
  );
  stack.resources(declarations.join('') + hcl);
  const env = {
    TF_LOG: 'TRACE',
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value])),
  };
  const run = (...args: string[]) => stack.workspace.runWith(env, ...args);
  const results = [
    await run('plan', '-input=false', '-out=tfplan'),
    await run('show', '-json', 'tfplan'),
    await run('apply', '-input=false', 'tfplan'),
    await run('show', '-json'),
  ];
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const state = stack.workspace.read('terraform.tfstate');

  stack.emulator.faults.inject({
    path: 'sys/policies/*',
    status: 403,
    errors: ['permission denied'],
    count: 1,
  });
  results.push(await run('plan', '-input=false'));
  expect(results.at(-1)!.code).toBe(1);
  results.push(await run('destroy', '-input=false', '-auto-approve'));
  expect(results.at(-1)!.code).toBe(0);
  const all = [...results.flatMap(({ stdout, stderr }) => [stdout, stderr]), state].join('\n');
  // the provider's log is among it
  expect(all.includes('create ACL policy "ops"')).toBe(true);
  return all;
}

test('a token in the configuration', async () => {
  stack = await start({
    provider: ({ clusters }) =>
      providerBlock(`us = {\naddress = "${clusters.us!.address}"\ntoken = var.token\n}`),
  });
  const all = await traces(aclPolicy({ name: 'ops' }), { token: 'hvs.canary-root' });
  expect(all.includes('canary')).toBe(false);
});

test('a token in the environment', async () => {
  stack = await start({
    provider: () => 'provider "vaultadmin" {}',
    env: ({ clusters }) => ({ VAULT_ADDR: clusters.default!.address, VAULT_TOKEN: 'hvs.canary-root' }),
    clusters: { default: 0 },
  });
  const all = await traces(aclPolicy({ name: 'ops' }));
  expect(all.includes('canary')).toBe(false);
});

test('the parameters of a login, and the token that it gives', async () => {
  stack = await start({
    provider: ({ clusters }) =>
      providerBlock(`us = {
        address    = "${clusters.us!.address}"
        auth_login = { method = "userpass", parameters = { username = "ci", password = var.password } }
      }`),
  });
  await stack.ask('POST', 'sys/auth/userpass', { type: 'userpass' });
  const user = { password: 'canary-password', token_policies: 'writer' };
  await stack.ask('POST', 'auth/userpass/users/ci', user);
  const policy = 'path "sys/policies/acl/*" {\n  capabilities = ["create", "read", "update", "delete"]\n}';
  await stack.ask('PUT', 'sys/policies/acl/writer', { policy });
  const all = await traces(aclPolicy({ name: 'ops' }), { password: 'canary-password' });
  expect(all.includes('canary')).toBe(false);
  // the token that the login gave is known to the provider alone; all begin like this
  expect(/hvs\.[A-Za-z0-9]{8}/.test(all)).toBe(false);
});
