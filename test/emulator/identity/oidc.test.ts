import { useNewEmulators } from '../support/emulator';

const use = useNewEmulators({ onWarning: () => undefined });
const BASE = 'identity/oidc';

test.each([
  ['config', {}, { issuer: '' }],
  ['config', { issuer: 'https://v.example:8200' }, { issuer: 'https://v.example:8200' }],
  [
    'key/a',
    { rotation_period: '1h', verification_ttl: '2h' },
    { algorithm: 'RS256', allowed_client_ids: [], rotation_period: 3600, verification_ttl: 7200 },
  ],
  [
    'role/r',
    { key: 'a', ttl: '1h' },
    { client_id: expect.stringMatching(/^\w{26}$/), key: 'a', template: '', ttl: 3600 },
  ],
  ['role/own', { key: 'a', client_id: 'own' }, { client_id: 'own', key: 'a', template: '', ttl: 86_400 }],
  ['assignment/a', { entity_ids: ['x'] }, { entity_ids: ['x'], group_ids: [] }],
  ['scope/s', { description: 'd', template: '{}' }, { description: 'd', template: '{}' }],
  [
    'client/c',
    { id_token_ttl: '1h', redirect_uris: ['http://a'], assignments: ['a'] },
    {
      access_token_ttl: 86_400,
      assignments: ['a'],
      client_id: expect.stringMatching(/^\w{32}$/),
      client_secret: expect.stringMatching(/^hvo_secret_\w{64}$/),
      client_type: 'confidential',
      id_token_ttl: 3600,
      key: 'default',
      redirect_uris: ['http://a'],
    },
  ],
  [
    'provider/p',
    { issuer: 'https://x.example:8200', allowed_client_ids: ['*'] },
    {
      allowed_client_ids: ['*'],
      issuer: 'https://x.example:8200/v1/identity/oidc/provider/p',
      scopes_supported: [],
    },
  ],
])('the object %s is stored with %j', async (path, sent, shown) => {
  const { api } = use();
  expect((await api.post(`${BASE}/${path}`, sent)).status).toBeLessThan(300);
  const { body } = await api.get(`${BASE}/${path}`);
  expect(body.data).toEqual(shown);
  // The server keeps the values that it has generated.
  await api.post(`${BASE}/${path}`, sent);
  expect((await api.get(`${BASE}/${path}`)).body.data).toEqual(body.data);
});

test('built-in settings are listed, and cannot be deleted', async () => {
  const { api, emulator } = use();
  const { address } = emulator.clusters.default!;
  expect((await api.get(`${BASE}/key/default`)).body.data).toEqual({
    algorithm: 'RS256',
    allowed_client_ids: ['*'],
    rotation_period: 86_400,
    verification_ttl: 86_400,
  });
  expect((await api.get(`${BASE}/provider/default`)).body.data.issuer).toBe(
    `${address}/v1/identity/oidc/provider/default`,
  );
  await api.post(`${BASE}/key/zz`, {});
  expect((await api.list(`${BASE}/key`)).body.data.keys).toEqual(expect.arrayContaining(['default', 'zz']));
  expect((await api.delete(`${BASE}/key/zz`)).status).toBe(204);
  for (const [path, name] of [
    ['key/default', 'key "default"'],
    ['assignment/allow_all', 'assignment "allow_all"'],
  ]) {
    const { status, body } = await api.delete(`${BASE}/${path}`);
    expect([status, body.errors]).toEqual([400, [`deletion of ${name} not allowed`]]);
  }
  await api.post('sys/namespaces/oidc');
  expect((await api.get(`${BASE}/provider/default`, { namespace: 'oidc' })).body.data.issuer).toBe(
    `${address}/v1/oidc/identity/oidc/provider/default`,
  );
  expect((await api.get(`${BASE}/role/r`, { namespace: 'oidc' })).status).toBe(404);
});

test('a public client has no secret', async () => {
  const { api } = use();
  await api.post(`${BASE}/client/public`, { client_type: 'public' });
  const { client_id, client_secret } = (await api.get(`${BASE}/client/public`)).body.data as Record<
    string,
    string
  >;
  expect([client_id?.length, client_secret]).toEqual([32, undefined]);
});

test.each([
  ['config', { issuer: 'nope' }, /^invalid issuer/],
  ['key/b', { algorithm: 'HS256' }, /^unknown signing algorithm "HS256"$/],
  [
    'key/b',
    { rotation_period: '1h', verification_ttl: '20h' },
    /^verification_ttl cannot be longer than 10x rotation_period$/,
  ],
  ['role/b', {}, /^the key parameter is required$/],
])('the object %s with %j is refused', async (path, sent, error) => {
  const { status, body } = await use().api.post(`${BASE}/${path}`, sent);
  expect([status, body.errors[0]]).toEqual([400, expect.stringMatching(error)]);
});

test('a new issuer causes a warning', async () => {
  const { api } = use();
  const { status, body } = await api.post(`${BASE}/config`, { issuer: 'https://v.example' });
  expect([status, body.warnings]).toEqual([
    200,
    [expect.stringMatching(/^If "issuer" is set explicitly, all tokens/)],
  ]);
  expect((await api.post(`${BASE}/config`, { issuer: '' })).status).toBe(204);
});

describe('the discovery documents', () => {
  const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

  test('the issuer is described without a token or an envelope', async () => {
    const { api } = use();
    const nobody = api.as(undefined);
    const path = `${BASE}/.well-known`;
    const described = (issuer: string) => ({
      issuer,
      jwks_uri: `${issuer}/.well-known/keys`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ALGORITHMS,
      response_types_supported: ['id_token'],
    });
    const { body, headers } = await nobody.get(`${path}/openid-configuration`);
    expect(body).toEqual(described(`${api.address}/v1/identity/oidc`));
    expect(headers['content-type']).toBe('application/json');
    expect((await nobody.get(`${path}/keys`)).body).toEqual({ keys: [] });
    await api.post(`${BASE}/config`, { issuer: 'https://v.example' });
    await api.post('sys/namespaces/issuer');
    expect((await nobody.get(`${path}/openid-configuration`)).body.issuer).toBe(
      'https://v.example/v1/identity/oidc',
    );
    expect((await nobody.get(`${path}/openid-configuration`, { namespace: 'issuer' })).body.issuer).toBe(
      `${api.address}/v1/issuer/identity/oidc`,
    );
    await api.post(`${BASE}/config`, { issuer: '' });
  });

  test('a provider is described; an unknown one is not found', async () => {
    const { api } = use();
    const nobody = api.as(undefined);
    await api.post('sys/namespaces/relying');
    const team = { namespace: 'relying' };
    await api.post(
      `${BASE}/provider/known`,
      { issuer: 'https://v.example', scopes_supported: ['groups'] },
      team,
    );
    const issuer = 'https://v.example/v1/relying/identity/oidc/provider/known';
    const path = `${BASE}/provider/known/.well-known`;
    expect((await nobody.get(`${path}/openid-configuration`, team)).body).toEqual({
      issuer,
      jwks_uri: `${issuer}/.well-known/keys`,
      authorization_endpoint: 'https://v.example/ui/vault/relying/identity/oidc/provider/known/authorize',
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      scopes_supported: ['groups', 'openid'],
      claims_supported: [],
      subject_types_supported: ['public'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      id_token_signing_alg_values_supported: ALGORITHMS,
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['plain', 'S256'],
    });
    expect((await nobody.get(`${path}/keys`, team)).body).toEqual({ keys: [] });
    for (const document of ['openid-configuration', 'keys']) {
      expect((await nobody.get(`${path}/${document}`)).status).toBe(404);
    }
    expect((await nobody.get(`${BASE}/provider/default`)).status).toBe(403);
  });
});
