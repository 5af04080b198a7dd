import type { VaultClient } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

const auth = {
  client_token: 'hvs.new',
  accessor: 'acc',
  lease_duration: 3600,
  renewable: true,
  policies: ['default'],
  metadata: { role_name: 'r' },
};

describe.each<[string, (client: VaultClient) => Promise<unknown>, string, object]>([
  [
    'AppRole',
    ({ auth }) => auth.appRole({ roleId: 'role', secretId: 'secret' }),
    'auth/approle/login',
    { role_id: 'role', secret_id: 'secret' },
  ],
  [
    'AppRole, at another mount, without a secret id',
    ({ auth }) => auth.appRole({ roleId: 'role', mount: 'ci/roles' }),
    'auth/ci/roles/login',
    { role_id: 'role' },
  ],
  [
    'userpass',
    ({ auth }) => auth.userpass({ username: 'joe', password: 'p' }),
    'auth/userpass/login/joe',
    { password: 'p' },
  ],
  [
    'userpass, at another mount',
    ({ auth }) => auth.userpass({ username: 'joe s', password: 'p', mount: 'people' }),
    'auth/people/login/joe%20s',
    { password: 'p' },
  ],
  ['JWT', ({ auth }) => auth.jwt({ jwt: 'j', role: 'ci' }), 'auth/jwt/login', { jwt: 'j', role: 'ci' }],
  [
    'JWT, with the default role',
    ({ auth }) => auth.jwt({ jwt: 'j', mount: 'gitlab' }),
    'auth/gitlab/login',
    { jwt: 'j' },
  ],
  ['certificate', ({ auth }) => auth.cert(), 'auth/cert/login', {}],
  ['certificate, by a role', ({ auth }) => auth.cert({ name: 'web' }), 'auth/cert/login', { name: 'web' }],
  [
    'any path',
    ({ auth }) => auth.login('auth/ldap/login/joe', { password: 'p' }),
    'auth/ldap/login/joe',
    { password: 'p' },
  ],
])('the login method %s', (_, logIn, path, body) => {
  test('the parameters are sent without a token, and the new token is returned', async () => {
    const server = await serve({ json: envelope(null, { auth, warnings: ['w'] }) });
    expect(await logIn(connect(server, { namespace: 'team' }))).toEqual({
      token: 'hvs.new',
      accessor: 'acc',
      ttl: 3600,
      renewable: true,
      policies: ['default'],
      metadata: { role_name: 'r' },
      warnings: ['w'],
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: `/v1/${path}` });
    expect(JSON.parse(server.requests[0]!.body)).toEqual(body);
    expect(server.requests[0]!.headers).not.toHaveProperty('x-vault-token');
    expect(server.requests[0]!.headers['x-vault-namespace']).toBe('team');
  });
});

test('a login may be in another namespace, also in the root namespace', async () => {
  const server = await serve({ json: envelope(null, { auth }) });
  const client = connect(server, { namespace: 'team' });
  await client.auth.login('auth/x/login', {}, { namespace: 'people/' });
  await client.auth.cert({ namespace: '' });
  expect(server.requests.map(({ headers }) => headers['x-vault-namespace'])).toEqual(['people', undefined]);
});

test('a namespace that cannot be sent is refused', async () => {
  const client = connect({ address: 'http://127.0.0.1:1' });
  expect((await failureOf(client.auth.login('a', {}, { namespace: 'a\nb' }))).code).toBe('invalid_options');
});

test('a login does not change the client', async () => {
  const server = await serve({ json: envelope({}, { auth }) });
  const client = connect(server);
  const { token } = await client.auth.cert();
  await client.read('x');
  await client.withToken(token).read('x');
  expect(server.requests.map(({ headers }) => headers['x-vault-token'])).toEqual([
    undefined,
    'hvs.test',
    'hvs.new',
  ]);
});

test('an answer without a token is an error', async () => {
  for (const json of [
    envelope({}),
    envelope(null, { auth: { ...auth, client_token: '', mfa_requirement: { mfa_request_id: 'x' } } }),
  ]) {
    const error = await failureOf(connect(await serve({ json })).auth.login('auth/x/login', {}));
    expect(error.code).toBe('unexpected_answer');
    expect(error.message).toContain(
      ': the answer holds no token (a login that needs a second factor is not supported). ',
    );
  }
});
