import { startEmulator, type Emulator } from '../../../src/emulator';
import { VaultError, type Clock, type VaultClient } from '../../../src/client';
import { Cluster } from '../../../src/provider/clusters/cluster';

const RULES = 'path "sys/policies/acl/*" {\n  capabilities = ["create", "read", "update"]\n}';

let emulator: Emulator;
let cluster: Cluster;

afterEach(async () => {
  await cluster.close();
  await emulator.close();
});

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const { address, rootToken } = emulator.clusters.us!;
  const response = await fetch(`${address}/v1/${path}`, {
    method,
    headers: { 'X-Vault-Token': rootToken, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { data, wrap_info: wrapped } = (text === '' ? {} : JSON.parse(text)) as Record<
    string,
    Record<string, string> | null
  >;
  return data ?? wrapped ?? {};
}

/**
 * A client that logs in by AppRole, on the emulator's clock.
 *
 * @param role the settings of the role's tokens
 */
async function logInWith(
  role: object,
  { secretIdUses = 0, serverVersion = '1.18.0+ent', wrappedAt = '' } = {},
): Promise<VaultClient> {
  emulator = await startEmulator({ clusters: { us: 0 }, serverVersion });
  emulator.clock.freeze();
  const begin = Date.now();
  let passed = 0;
  advance = (seconds) => {
    passed += seconds * 1000;
    emulator.clock.advance(seconds * 1000);
  };
  const clock: Clock = {
    now: () => begin + passed,
    after: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  };
  await ask('PUT', 'sys/policies/acl/writer', { policy: RULES });
  await ask('POST', 'sys/auth/approle', { type: 'approle' });
  await ask('POST', 'auth/approle/role/ci', {
    token_policies: 'writer',
    secret_id_num_uses: secretIdUses,
    ...role,
  });
  const { role_id } = await ask('GET', 'auth/approle/role/ci/role-id');
  const secretId = 'auth/approle/role/ci/secret-id';
  const secret_id = wrappedAt
    ? (await ask('POST', secretId, undefined, { 'X-Vault-Wrap-TTL': '60s' })).token
    : (await ask('POST', secretId)).secret_id;
  cluster = new Cluster(
    {
      name: 'us',
      options: { address: emulator.clusters.us!.address, clock, maxRetries: 0 },
      login: {
        path: 'auth/approle/login',
        parameters: { role_id: role_id!, secret_id: secret_id! },
        ...(wrappedAt && { secretIdWrappingPath: wrappedAt }),
      },
      usualTokenFile: false,
      unknown: [],
    },
    { env: {}, mask: () => {} },
  );
  emulator.requests.clear();
  return cluster.client('');
}

let advance: (seconds: number) => void;

const write = (client: VaultClient) => client.write('sys/policies/acl/it', { policy: RULES });

/** Returns the numbers of logins, and of renewals of a token. */
function asked() {
  const paths = emulator.requests.list().map(({ path }) => path);
  const times = (wanted: string) => paths.filter((path) => path === wanted).length;
  return { logins: times('auth/approle/login'), renewals: times('auth/token/renew-self') };
}

test('a token that ends soon is renewed before it ends, however long the client works', async () => {
  const client = await logInWith({ token_ttl: '2s' });
  for (let second = 0; second < 20; second++) {
    await write(client);
    advance(1);
  }
  expect(asked()).toEqual({ logins: 1, renewals: 19 });
});

test('a token that cannot live longer is replaced before it ends', async () => {
  const client = await logInWith({ token_ttl: '4s', token_max_ttl: '6s' });
  for (let second = 0; second < 12; second++) {
    await Promise.all([write(client), write(client)]);
    advance(1);
  }
  expect(asked().logins).toBe(3);
});

test.each([
  ['a periodic token is renewed', { token_period: '3s' }, { logins: 1, renewals: 4 }],
  [
    'a batch token, which cannot be renewed, is replaced',
    { token_type: 'batch', token_ttl: '3s' },
    { logins: 5, renewals: 0 },
  ],
])('in ten seconds of writes, %s', async (_, role, expected) => {
  const client = await logInWith(role);
  for (let second = 0; second < 10; second++) {
    await write(client);
    advance(1);
  }
  expect(asked()).toEqual(expected);
});

test.each(['1.18.0+ent', '1.15.0+ent'])(
  'a token that expired between calls is replaced by one login for all calls, on Vault %s',
  async (serverVersion) => {
    const client = await logInWith({ token_ttl: '4s' }, { serverVersion });
    await write(client);
    advance(60);
    await Promise.all(Array.from({ length: 10 }, () => write(client)));
    expect(asked().logins).toBe(2);
  },
);

test('a token that was revoked is replaced by one login for all calls', async () => {
  const client = await logInWith({});
  const { id } = await client.token.lookupSelf().then(({ data }) => data);
  await ask('POST', 'auth/token/revoke', { token: id });
  await Promise.all(Array.from({ length: 10 }, () => write(client)));
  expect(asked().logins).toBe(2);
});

test('a request that the policies of the token refuse is not repeated', async () => {
  const client = await logInWith({});
  await expect(client.write('sys/policies/egp/it', {})).rejects.toMatchObject({ code: 'denied' });
  expect(asked()).toEqual({ logins: 1, renewals: 0 });
});

test('a secret_id for a single login lasts as long as the token of the login, and the error says why it has ended', async () => {
  const client = await logInWith({ token_ttl: '4s', token_max_ttl: '10s' }, { secretIdUses: 1 });
  for (let second = 0; second < 10; second++) {
    await write(client);
    advance(1);
  }
  advance(1);
  const failure = await write(client).catch((error: unknown) => error);
  expect(VaultError.is(failure) && failure.code).toBe('login_refused');
  expect((failure as VaultError).message).toContain(
    'A secret_id with a limited number of uses may be used up: each plan and each apply logs in once',
  );
  // The client looks the token up at first, before the token ends and when it has ended, not for
  // every call.
  await expect(write(client)).rejects.toMatchObject({ code: 'login_refused' });
  expect(asked().logins).toBe(3);
});

test('a wrapped secret_id is unwrapped once, and all logins use it', async () => {
  const wrappedAt = 'auth/approle/role/ci/secret-id';
  const client = await logInWith({ token_ttl: '4s' }, { wrappedAt });
  await write(client);
  advance(60);
  await write(client);
  expect(asked().logins).toBe(2);
  const unwrapped = emulator.requests.list().filter(({ path }) => path === 'sys/wrapping/unwrap');
  expect(unwrapped).toHaveLength(1);
});

test('a secret_id in a wrapping token that other requests created is refused', async () => {
  await expect(logInWith({}, { wrappedAt: 'auth/approle/role/other/secret-id' })).rejects.toMatchObject({
    code: 'login_refused',
    message:
      'Cannot log in: the wrapping token of the secret_id was created at "auth/approle/role/ci/secret-id", not at ' +
      '"auth/approle/role/other/secret-id". It was not used. Find out who created it',
  });
  expect(asked().logins).toBe(0);
});
