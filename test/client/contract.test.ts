import { generateKeyPairSync } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import type { ClientOptions, Policies, VaultClient, Warning } from '../../src/client';
import { startEmulator, type Emulator, type RunningCluster } from '../../src/emulator';
import { connect, failureOf } from './support/client';

const POLICY = 'path "secret/*" {\n  capabilities = ["read"]\n}\n';
const SENTINEL = 'main = rule { true }';

let emulator: Emulator;
let cluster: RunningCluster;

beforeAll(async () => {
  emulator = await startEmulator();
  cluster = emulator.clusters.default!;
});
afterEach(() => emulator.faults.clear());
afterAll(() => emulator.close());

function client(options: ClientOptions = {}): VaultClient {
  return connect(cluster, { token: cluster.rootToken, ...options });
}

/** Enables the auth methods, with a user and a role. */
beforeAll(async () => {
  const root = client();
  await root.policies.acl.write('reader', { policy: POLICY });
  for (const type of ['approle', 'userpass', 'jwt']) await root.write(`sys/auth/${type}`, { type });
  await root.write('auth/userpass/users/joe', {
    password: 'p',
    token_policies: ['reader'],
    token_ttl: '10m',
  });
  await root.write('auth/approle/role/ci', { token_policies: ['reader'], token_ttl: 600 });
});

describe.each(['vault', 'neutral'] as const)('policies in the dialect %s', (dialect) => {
  let neighbor: Emulator;
  let policies: Policies;

  beforeAll(async () => {
    neighbor = await startEmulator({ dialect });
  });
  beforeEach(() => {
    const { address, rootToken: token } = neighbor.clusters.default!;
    policies = connect({ address }, { token, dialect }).policies;
  });
  afterAll(() => neighbor.close());

  test.each([
    ['acl', { policy: POLICY }, ['default', 'team/a b', 'root']],
    ['rgp', { policy: SENTINEL, enforcement_level: 'soft-mandatory' }, ['team/a b']],
    [
      'egp',
      { policy: SENTINEL, enforcement_level: 'advisory', paths: ['secret/*', 'sys/mounts'] },
      ['team/a b'],
    ],
  ] as const)('the life of a policy: %s', async (kind, fields, keys) => {
    const calls = policies[kind] as typeof policies.egp;
    const name = 'team/a b';

    expect(await calls.read(name)).toBeUndefined();
    await calls.write(name, fields as never);
    expect((await calls.read(name))?.data).toEqual({ name, ...fields });
    expect((await calls.list()).data.keys).toEqual(keys);
    await calls.delete(name);
    await calls.delete(name);
    expect(await calls.read(name)).toBeUndefined();
    expect((await calls.list()).data.keys).toEqual(keys.filter((key) => key !== name));
  });

  test('the EGP list contains the paths of each policy', async () => {
    const { egp } = policies;
    await egp.write('a', {
      policy: SENTINEL,
      enforcement_level: 'advisory',
      paths: ['secret/*', 'sys/mounts'],
    });
    expect((await egp.list()).data.name_path_map).toEqual({
      a: [
        { path: 'secret/', glob: true },
        { path: 'sys/mounts', glob: false },
      ],
    });
    await egp.delete('a');
  });
});

test('a name in upper case is converted to lower case, with a warning', async () => {
  const warnings: Warning[] = [];
  const { acl } = client({ onWarning: (warning) => warnings.push(warning) }).policies;
  const response = await acl.write('Ops', { policy: POLICY });
  expect(response.warnings).toEqual(['policy name was converted to ops']);
  expect(warnings).toEqual([
    {
      text: 'policy name was converted to ops',
      method: 'POST',
      path: 'sys/policies/acl/Ops',
      namespace: undefined,
    },
  ]);
  await acl.delete('ops');
});

test("a refused policy has the server's errors", async () => {
  const { acl } = client().policies;
  const broken = await failureOf(acl.write('a', { policy: 'path "x" { capabilities = ["raed"] }' }));
  expect(broken).toMatchObject({ code: 'invalid_request', status: 400 });
  expect(broken.errors[0]).toContain('invalid capability "raed"');
  expect((await failureOf(acl.delete('root'))).errors).toEqual(['cannot delete "root" policy']);
  expect((await failureOf(acl.delete('default'))).errors).toEqual(['cannot delete default policy']);
});

test('each namespace has its own policies', async () => {
  const root = client();
  await root.write('sys/namespaces/team');
  const team = root.withNamespace('team');
  await team.policies.acl.write('a', { policy: POLICY });
  expect(await root.policies.acl.read('a')).toBeUndefined();
  expect((await team.policies.acl.read('a'))?.data.policy).toBe(POLICY);
});

test('an open-source server has no RGP and EGP, and no namespaces', async () => {
  const open = await startEmulator({ serverVersion: '1.21.0' });
  const { address, rootToken: token } = open.clusters.default;
  const root = connect({ address }, { token });
  const calls = [root.policies.rgp.read('a'), root.policies.rgp.list(), root.policies.egp.delete('a')];
  for (const call of calls) expect((await failureOf(call)).code).toBe('unsupported_path');
  expect((await failureOf(root.withNamespace('team').read('sys/mounts'))).code).toBe(
    'namespaces_unsupported',
  );
  await open.close();
});

describe('logins with each auth method', () => {
  /**
   * Checks that a login's token can be looked up and renewed, and is refused after its revocation.
   */
  async function prove(login: {
    token: string;
    accessor: string;
    ttl: number;
    renewable: boolean;
  }): Promise<void> {
    expect(login).toMatchObject({ ttl: 600, renewable: true });
    const own = client({ token: login.token });
    const { data } = await own.token.lookupSelf();
    expect(data).toMatchObject({ accessor: login.accessor, policies: ['default', 'reader'] });
    expect(await own.system.capabilitiesSelf(['secret/a', 'sys/mounts'])).toEqual({
      'secret/a': ['read'],
      'sys/mounts': ['deny'],
    });
    expect((await failureOf(own.policies.acl.read('reader'))).code).toBe('denied');
    expect((await own.token.renewSelf(300)).token).toBe(login.token);
    await own.token.revokeSelf();
    expect((await failureOf(own.token.lookupSelf())).code).toBe('invalid_token');
  }

  test('userpass logins return a token', async () => {
    const { auth } = client({ token: '' });
    await prove(await auth.userpass({ username: 'joe', password: 'p' }));
    const refused = await failureOf(auth.userpass({ username: 'joe', password: 'canary' }));
    expect(refused.code).toBe('login_refused');
    expect(JSON.stringify(refused)).not.toContain('canary');
  });

  test('AppRole logins return a token', async () => {
    const root = client();
    const roleId = (await root.read('auth/approle/role/ci/role-id'))?.data.role_id as string;
    const secretId = (await root.write('auth/approle/role/ci/secret-id')).data.secret_id as string;
    const { auth } = client({ token: '' });
    await prove(await auth.appRole({ roleId, secretId }));
    const refused = await failureOf(auth.appRole({ roleId, secretId: 'canary' }));
    expect(refused.code).toBe('login_refused');
    expect(JSON.stringify(refused)).not.toContain('canary');
  });

  test('JWT logins return a token', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const root = client();
    const pem = publicKey.export({ format: 'pem', type: 'spki' });
    await root.write('auth/jwt/config', { jwt_validation_pubkeys: [pem] });
    await root.write('auth/jwt/role/ci', {
      role_type: 'jwt',
      user_claim: 'sub',
      bound_audiences: ['vault'],
      token_policies: ['reader'],
      token_ttl: 600,
    });
    const key = await importPKCS8(privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, 'ES256');
    const now = Math.floor(Date.now() / 1000);
    const jwt = await new SignJWT({ sub: 'joe', aud: 'vault', iat: now, exp: now + 60 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(key);
    await prove(await client({ token: '' }).auth.jwt({ jwt, role: 'ci' }));
  });

  test('a client without a token is refused', async () => {
    expect((await failureOf(client({ token: '' }).policies.acl.read('reader'))).code).toBe('invalid_token');
  });
});

test('a wrapped answer can be looked up, and unwrapped once', async () => {
  const root = client();
  const { wrapInfo } = await root.write('auth/token/create', { ttl: '1h' }, { wrapTtl: '5m' });
  expect(wrapInfo).toMatchObject({ ttl: 300, creationPath: 'auth/token/create' });
  const { token } = wrapInfo!;
  const anybody = client({ token: '' });
  expect((await anybody.wrapping.lookup(token)).data).toMatchObject({
    creation_path: 'auth/token/create',
    creation_ttl: 300,
  });
  expect((await anybody.wrapping.unwrap(token)).auth).toMatchObject({ ttl: 3600 });
  await failureOf(anybody.wrapping.unwrap(token));
  expect((await failureOf(anybody.wrapping.lookup(token))).errors).toEqual([
    'wrapping token is not valid or does not exist',
  ]);
});

describe('a server with failures', () => {
  test('a sealed server reports its state, and fails other calls after three attempts', async () => {
    const root = client();
    await root.write('sys/seal');
    expect((await root.system.health()).data).toMatchObject({ sealed: true, initialized: true });
    expect((await root.system.sealStatus()).data.sealed).toBe(true);
    expect(await failureOf(root.policies.acl.read('a'))).toMatchObject({
      code: 'sealed',
      status: 503,
      attempts: 3,
    });
    await root.write('sys/unseal', { key: cluster.unsealKey });
    expect((await root.system.health()).data.sealed).toBe(false);
  });

  test('a policy write whose answer is lost is repeated, and a creation of a token is not', async () => {
    const root = client();
    emulator.faults.inject({ drop: 'after', count: 1 });
    await root.policies.acl.write('again', { policy: POLICY });
    expect((await root.policies.acl.read('again'))?.data.policy).toBe(POLICY);
    emulator.faults.inject({ drop: 'after', count: 1 });
    expect(await failureOf(root.write('auth/token/create', {}))).toMatchObject({
      code: 'connection_lost',
      attempts: 1,
    });
  });

  test('a call waits for a rate limit, also during a login', async () => {
    const { auth } = client({ token: '' });
    emulator.faults.inject({ status: 429, errors: ['quota'], retryAfter: 2, count: 2 });
    expect((await auth.userpass({ username: 'joe', password: 'p' })).ttl).toBe(600);
    emulator.faults.inject({ status: 429, errors: ['quota'], retryAfter: 2 });
    expect(await failureOf(client().policies.acl.list())).toMatchObject({
      code: 'rate_limited',
      attempts: 3,
    });
  });
});

test('calls over TLS trust only the given authority', async () => {
  const secure = await startEmulator({ tls: true });
  const { address, rootToken: token, caCertFile } = secure.clusters.default;
  expect((await connect({ address }, { token, tls: { caCertFile } }).system.health()).data.sealed).toBe(
    false,
  );
  expect((await failureOf(connect({ address }, { token }).system.health())).code).toBe('tls_not_trusted');
  await secure.close();
});
