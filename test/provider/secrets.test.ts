import { startProxy, type Proxy } from '../support/proxy';
import { formsOf, sightings } from '../support/secret-forms';
import { BACKENDS, Expression, managedKey } from './managed-keys/support';
import { aclPolicy, providerBlock, startStack, type Stack, type StackOptions } from './support';

let stack: Stack;
afterEach(() => stack.close());

/** Starts the executable, with the most detailed log. All tests of this file use it. */
function start(options: StackOptions = {}): Promise<Stack> {
  return startStack({ rootToken: 'hvs.canary-root', ...options, executable: true });
}

/**
 * Returns all output, logs and files of a run that creates a policy, reads it with an error, and
 * destroys it. Secrets come from an ephemeral variable, because Terraform writes other variables
 * into plans.
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
  // The provider's log has to be among the texts that the tests search.
  expect(all.includes('create ACL policy "ops"')).toBe(true);
  return all;
}

test('no output contains a token of the configuration', async () => {
  stack = await start({
    provider: ({ clusters }) =>
      providerBlock(`us = {\naddress = "${clusters.us!.address}"\ntoken = var.token\n}`),
  });
  const all = await traces(aclPolicy({ name: 'ops' }), { token: 'hvs.canary-root' });
  expect(all.includes('canary')).toBe(false);
});

test('no output contains a token of the environment', async () => {
  stack = await start({
    provider: () => 'provider "vaultadmin" {}',
    env: ({ clusters }) => ({ VAULT_ADDR: clusters.default!.address, VAULT_TOKEN: 'hvs.canary-root' }),
    clusters: { default: 0 },
  });
  const all = await traces(aclPolicy({ name: 'ops' }));
  expect(all.includes('canary')).toBe(false);
});

test('no output contains the parameters of a login, or the token that it returns', async () => {
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
  // The test does not know the token of the login, but all tokens begin with this text.
  expect(/hvs\.[A-Za-z0-9]{8}/.test(all)).toBe(false);
});

test('no error, warning or log contains a secret in any form that a server may return, or terminal control sequences', async () => {
  const pin = " canary pin/7\"34+5%41\n\n'end' \n";
  const privateKey =
    '-----BEGIN PRIVATE KEY-----\ncanaryMIIEvQIBADANBg\ncanaryKcwggSjAgEAAo\n-----END PRIVATE KEY-----\n';
  const credentials = JSON.stringify({
    type: 'service_account',
    private_key: privateKey,
    private_key_id: 'canary-0a1b2c',
  });
  const parts = [
    'canaryMIIEvQIBADANBg',
    'canaryKcwggSjAgEAAo',
    'canaryMIIEvQIBADANBgcanaryKcwggSjAgEAAo',
    'canary-0a1b2c',
  ];
  const ofPin = formsOf(pin);
  const ofCredentials = formsOf(credentials, [privateKey, ...parts]);
  stack = await start({ serverVersion: '1.21.0+ent.hsm' });
  const target = stack.emulator.clusters.us!.address;
  const parrots = await Promise.all([startParrot(target, ofPin), startParrot(target, ofCredentials)]);
  try {
    stack.configure(
      providerBlock(
        ['us', 'eu']
          .map(
            (name, index) =>
              `${name} = { address = "${parrots[index]!.address}", token = "hvs.canary-root", max_retries = 0 }`,
          )
          .join('\n'),
      ),
    );
    const variables = ['pin', 'credentials'].map((name) => `variable "${name}" {\n  ephemeral = true\n}\n`);
    const keys = ['refused', 'taken'].flatMap((name) => [
      managedKey(
        { cluster: 'us', name, pkcs11: { ...BACKENDS.pkcs11, pin_wo: new Expression('var.pin') } },
        `pin_${name}`,
      ),
      managedKey(
        {
          cluster: 'eu',
          name,
          gcpckms: { ...BACKENDS.gcpckms, credentials_wo: new Expression('var.credentials') },
        },
        `credentials_${name}`,
      ),
    ]);
    stack.resources([...variables, ...keys].join(''));
    const env = { TF_LOG: 'TRACE', TF_VAR_pin: pin, TF_VAR_credentials: credentials };
    const { stdout, stderr } = await stack.workspace.runWith(
      env,
      'apply',
      '-json',
      '-auto-approve',
      '-input=false',
    );

    for (const severity of ['error', 'warning']) {
      const shown = stdout
        .split('\n')
        .filter((line) => line.includes(`"severity":"${severity}"`) && line.includes('(hidden)'));
      expect({ severity, texts: shown.length >= 2 }).toEqual({ severity, texts: true });
    }
    expect(stderr).toContain('create managed key');
    expect(INVISIBLE.test(stderr)).toBe(false);
    const messages = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) =>
        JSON.stringify(JSON.parse(line), (_name, value: unknown) =>
          typeof value === 'string' && INVISIBLE.test(value) ? 'INVISIBLE' : value,
        ),
      );
    expect(messages.filter((message) => message.includes('INVISIBLE'))).toEqual([]);
    for (const forms of [ofPin, ofCredentials]) {
      expect(sightings(forms, JSON.stringify(forms))).not.toEqual([]);
      expect(sightings(forms, stdout)).toEqual([]);
      expect(sightings(forms, stderr)).toEqual([]);
      expect(sightings(forms, stack.workspace.read('terraform.tfstate'))).toEqual([]);
    }
  } finally {
    await Promise.all(parrots.map((parrot) => parrot.close()));
  }
});

/**
 * Clears the screen, sets a title, returns to the beginning of the line, and reverses the direction
 * of text.
 */
const POISON = '\u001b[2J\u001b]0;x\u0007\r\u001b[K\u009b2J\u202e\u200b\u0000\u2028';
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Starts a server that repeats secrets and control sequences: in errors of requests for keys called
 * `refused`, and in warnings of all other requests.
 */
function startParrot(target: string, texts: readonly string[]): Promise<Proxy> {
  const hostile = texts.map((text) => POISON + text);
  return startProxy({
    target,
    refuse: (method, path) => (method === 'POST' && path.endsWith('/refused') ? hostile : undefined),
    alter: (answer) => ({ ...answer, warnings: hostile }),
  });
}
