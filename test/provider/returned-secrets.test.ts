/** Secrets that a server returns as other values: no plan, JSON or state contains one. */
import { startProxy, type Json, type Proxy } from '../support/proxy';
import { formsOf, sightings } from '../support/secret-forms';
import { BACKENDS, Expression, managedKey } from './managed-keys/support';
import { aclPolicy, block, providerBlock, startStack, type Stack } from './support';

const TOKEN = 'hvs.canary-root';
const PIN = 'canary-pin-7';
const KEY_PATH = '/v1/sys/managed-keys/pkcs11/hsm';

let stack: Stack;
let proxy: Proxy;
/** Changes the server's answers. Undefined: they stay as they are. */
let lie: ((answer: Json, path: string) => Json) | undefined;
/**
 * The method of the requests that the server refuses, if they are about the key, and the errors of
 * its answer.
 */
let refused: { readonly method: string; readonly errors: readonly string[] } | undefined;

beforeEach(async () => {
  lie = undefined;
  refused = undefined;
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm', rootToken: TOKEN });
  proxy = await startProxy({
    target: stack.emulator.clusters.us!.address,
    alter: (answer, path) => lie?.(answer, path) ?? answer,
    refuse: (method, path) =>
      path.startsWith(KEY_PATH) && method === refused?.method ? refused.errors : undefined,
  });
  stack.configure(
    providerBlock(`us = { address = "${proxy.address}", token = "${TOKEN}", max_retries = 0 }`),
  );
});
afterEach(async () => {
  await proxy.close();
  await stack.close();
});

const key = (pin = PIN) =>
  `variable "pin" {\n  ephemeral = true\n  default   = ${JSON.stringify(pin)}\n}\n` +
  managedKey({
    cluster: 'us',
    name: 'hsm',
    pkcs11: { ...BACKENDS.pkcs11, pin_wo: new Expression('var.pin') },
  });

/** Makes the server return another value of a field, wherever it returns the key. */
function returning(field: string, value: unknown): void {
  lie = (answer, path) => {
    const data = answer.data as Json | undefined;
    return path.startsWith(KEY_PATH) && data ? { ...answer, data: { ...data, [field]: value } } : answer;
  };
}

/** Plans, and returns the refusals. Output, plan and state must not contain a secret. */
async function refusalOf(command: 'plan' | 'apply', ...args: readonly string[]): Promise<readonly string[]> {
  const { code, errors } = await stack.run(command, ...args);
  const shown = await stack.workspace.run('show', '-json');
  expect(shown.stdout).not.toContain('canary');
  expect(JSON.stringify(errors)).not.toContain('canary');
  expect({ code, isRefused: errors.length > 0 }).toEqual({ code: 1, isRefused: true });
  return errors.map(({ summary }) => summary);
}

test.each<[field: string, value: unknown, refusal: string]>([
  ['library', TOKEN, 'pkcs11.library contains a credential of the provider'],
  [
    'library',
    `https://user:${TOKEN}@hsm.example.com`,
    'pkcs11.library contains a credential of the provider',
  ],
  ['usages', ['sign', TOKEN], 'usages[0] contains a credential of the provider'],
  ['curve', `"${JSON.stringify(TOKEN)}"`, 'pkcs11.curve contains a credential of the provider'],
])(
  'a token that is returned as %s is refused when the key is refreshed: %j',
  async (field, value, refusal) => {
    stack.resources(key());
    await stack.must('apply');
    returning(field, value);
    expect(await refusalOf('plan', '-out=tfplan')).toEqual([refusal]);
    expect(await refusalOf('apply', '-refresh-only')).toEqual([refusal]);
  },
);

test.each([PIN, '1k!', 'a"b\nc'])(
  'a write-only PIN %j that is returned as the UUID is refused when the key is created',
  async (pin) => {
    stack.resources(key(pin));
    returning('UUID', pin);
    expect(await refusalOf('apply')).toEqual(['uuid contains a secret of this object']);
    expect(await stack.addresses()).toEqual([]);
  },
);

test('a write-only PIN that was returned to a refresh is refused when the update is planned', async () => {
  stack.resources(key());
  await stack.must('apply');
  returning('library', `/usr/lib/${PIN}.so`);
  expect((await stack.run('plan')).errors.map(({ summary }) => summary)).toEqual([
    'pkcs11.library contains a secret of this object',
  ]);
});

test('a write-only PIN that was returned to an import is refused when the import is planned', async () => {
  const { library, key_label, slot, mechanism } = BACKENDS.pkcs11;
  await stack.ask('POST', 'sys/managed-keys/pkcs11/hsm', { library, key_label, slot, mechanism, pin: PIN });
  stack.resources(`import {\n  to = vaultadmin_managed_key.it\n  id = "us//pkcs11/hsm"\n}\n${key()}`);
  returning('UUID', PIN);
  expect(await refusalOf('plan')).toEqual(['uuid contains a secret of this object']);
});

test('a token that is returned to an import is refused', async () => {
  const { library, key_label, slot, mechanism } = BACKENDS.pkcs11;
  await stack.ask('POST', 'sys/managed-keys/pkcs11/hsm', { library, key_label, slot, mechanism, pin: PIN });
  stack.resources(key());
  returning('UUID', TOKEN);
  const { code, stdout, stderr } = await stack.workspace.run(
    'import',
    'vaultadmin_managed_key.it',
    'us//pkcs11/hsm',
  );
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('uuid contains a credential of the provider');
  expect(stdout + stderr).not.toContain('canary');
  expect(await stack.addresses()).toEqual([]);
});

test.each<[type: string, attributes: object, data: Json, refusal: string]>([
  ['vaultadmin_managed_key', { name: 'hsm' }, { UUID: TOKEN }, 'uuid contains a credential of the provider'],
  ['vaultadmin_managed_keys', {}, { keys: [TOKEN] }, 'names[0] contains a credential of the provider'],
])('a token that is returned to the data source %s is refused', async (type, attributes, data, refusal) => {
  const { library, key_label, slot, mechanism } = BACKENDS.pkcs11;
  await stack.ask('POST', 'sys/managed-keys/pkcs11/hsm', { library, key_label, slot, mechanism, pin: PIN });
  stack.resources(block('data', type, attributes));
  lie = (answer, path) =>
    path.startsWith('/v1/sys/managed-keys/pkcs11')
      ? { ...answer, data: { ...(answer.data as Json), ...data } }
      : answer;
  expect(await refusalOf('plan', '-out=tfplan')).toEqual([refusal]);
});

test.each<[field: string, value: unknown, refusal: string]>([
  ['UUID', `{"pin":"${PIN}"}`, 'uuid contains a secret of this object'],
  ['UUID', `x${PIN}y`, 'uuid contains a secret of this object'],
  ['UUID', ` ${PIN}\n`, 'uuid contains a secret of this object'],
])(
  'a write-only PIN within a longer value of %s is refused when the key is created: %j',
  async (field, value, refusal) => {
    stack.resources(key());
    returning(field, value);
    expect(await refusalOf('apply')).toEqual([refusal]);
    expect(await stack.addresses()).toEqual([]);
  },
);

const IMPORT = 'import {\n  to = vaultadmin_managed_key.it\n  id = "us//pkcs11/hsm"\n}\n';

test.each<[what: string, method: string, exists: boolean, hcl: string]>([
  ['creates the key', 'POST', false, key()],
  ['reads the key', 'GET', true, key()],
  ['imports the key', 'GET', false, IMPORT + key()],
])(
  'no form of the token or PIN is shown or stored from the error of a request that %s',
  async (_what, method, exists, hcl) => {
    // Only the request that creates the key has its PIN.
    const forms = [...formsOf(TOKEN), ...(method === 'GET' ? [] : formsOf(PIN))];
    if (exists) {
      stack.resources(key());
      await stack.must('apply');
    }
    stack.resources(hcl);
    refused = { method, errors: forms.map((form) => `1 error occurred: ${form}`) };
    const { code, stdout, stderr } = await stack.workspace.run('apply', '-auto-approve', '-input=false');
    expect({ code, seen: sightings(forms, stdout + stderr) }).toEqual({ code: 1, seen: [] });
    expect(stderr).toContain('(hidden)');
    refused = undefined;
    expect(sightings(forms, (await stack.workspace.run('show', '-json')).stdout)).toEqual([]);
  },
);

test('the token of a login that is returned in a value is refused', async () => {
  await stack.ask('POST', 'sys/auth/userpass', { type: 'userpass' });
  const rules = 'path "sys/*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}';
  await stack.ask('PUT', 'sys/policies/acl/all', { policy: rules });
  await stack.ask('POST', 'auth/userpass/users/ci', { password: 'canary-password', token_policies: 'all' });
  stack.configure(
    providerBlock(
      `us = { address = "${proxy.address}", auth_login = { method = "userpass", parameters = { username = "ci", password = "canary-password" } } }`,
    ),
  );
  stack.resources(key());
  await stack.must('apply');
  for (const secret of ['token', 'password']) {
    let token = '';
    lie = (answer, path) => {
      const auth = answer.auth as { client_token: string } | undefined;
      if (auth) token = auth.client_token;
      const library = secret === 'token' ? token : 'canary-password';
      const data = answer.data as Json | undefined;
      return path.startsWith(KEY_PATH) && data ? { ...answer, data: { ...data, library } } : answer;
    };
    expect(await refusalOf('plan', '-out=tfplan')).toEqual([
      'pkcs11.library contains a credential of the provider',
    ]);
    expect(token).toMatch(/^hvs\./);
  }
});

test.each<[what: string, setting: string, returned: string]>([
  [
    'the token of a header without its scheme',
    'headers = { Authorization = "Bearer canary-bearer-7" }',
    '/lib/canary-bearer-7.so',
  ],
  [
    'one of several headers',
    'headers = { X-One = "canary-one-77", X-Two = "canary-two-77" }',
    'canary-two-77',
  ],
])('%s that is returned in a value is refused', async (_what, setting, returned) => {
  stack.resources(key());
  await stack.must('apply');
  stack.configure(
    providerBlock(`us = { address = "${proxy.address}", token = "${TOKEN}", max_retries = 0, ${setting} }`),
  );
  returning('library', returned);
  expect(await refusalOf('plan', '-out=tfplan')).toEqual([
    'pkcs11.library contains a credential of the provider',
  ]);
});

test('texts of the user are not refused, whatever they contain', async () => {
  stack.resources(
    aclPolicy({ name: TOKEN, policy: `# ${TOKEN}\npath "secret/*" {\n  capabilities = ["read"]\n}\n` }),
  );
  await stack.must('apply');
  await stack.must('plan');
});
