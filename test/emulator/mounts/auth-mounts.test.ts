import { useNewEmulators } from '../support/emulator';

const running = useNewEmulators();
const api = () => running().api;

it('the methods of a new server are listed, also at the top level', async () => {
  const { body } = await api().get('sys/auth');
  expect(body.data).toEqual({
    'token/': {
      accessor: expect.stringMatching(/^auth_token_[0-9a-f]{8}$/),
      config: {
        default_lease_ttl: 0,
        force_no_cache: false,
        max_lease_ttl: 0,
        token_type: 'default-service',
      },
      description: 'token based credentials',
      external_entropy_access: false,
      local: false,
      options: null,
      plugin_version: '',
      running_plugin_version: 'v1.21.0+builtin.vault',
      running_sha256: '',
      seal_wrap: false,
      type: 'token',
      uuid: expect.any(String),
    },
  });
  expect(body['token/']).toEqual(body.data['token/']);
});

it('a method is enabled, shown and disabled', async () => {
  const config = { default_lease_ttl: '1h', token_type: 'batch' };
  expect((await api().post('sys/auth/people', { type: 'userpass', description: 'us', config })).status).toBe(
    204,
  );

  const expected = {
    accessor: expect.stringMatching(/^auth_userpass_/),
    config: { default_lease_ttl: 3600, force_no_cache: false, max_lease_ttl: 0, token_type: 'batch' },
    deprecation_status: 'supported',
    description: 'us',
    options: {},
    type: 'userpass',
  };
  for (const path of ['sys/auth/people', 'sys/mounts/auth/people'])
    expect((await api().get(path)).body.data).toMatchObject(expected);

  expect((await api().delete('sys/auth/people')).status).toBe(204);
  expect((await api().delete('sys/auth/people')).status).toBe(204);
  expect((await api().get('sys/auth/people')).body).toEqual({ errors: ['No auth engine at people/'] });
});

it('the tokens of a disabled method are revoked', async () => {
  await api().post('sys/auth/people', { type: 'userpass' });
  await api().put('auth/people/users/ann', { password: 'x' });
  const { client_token } = (await api().post('auth/people/login/ann', { password: 'x' })).body.auth;
  expect((await api().as(client_token).get('auth/token/lookup-self')).status).toBe(200);
  await api().delete('sys/auth/people');
  expect((await api().as(client_token).get('auth/token/lookup-self')).status).toBe(403);
});

it.each([
  [{}, 'backend type must be specified as a string'],
  [{ type: 'nope' }, 'plugin not found in the catalog: nope'],
  [{ type: 'token' }, 'token credential backend cannot be instantiated'],
  [
    { type: 'userpass', options: { version: '2' } },
    'auth method "userpass" does not allow setting a version',
  ],
  [{ type: 'userpass', config: { token_type: 'durable' } }, "invalid value for 'token_type'"],
  [{ type: 'userpass', config: { force_no_cache: {} } }, 'unable to convert given auth config information'],
])('an auth method with %j is refused', async (request, text) => {
  const { status, body } = await api().post('sys/auth/refused', request);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [text] });
});

it('a path in use is refused, and the auth method token cannot be disabled', async () => {
  await api().post('sys/auth/taken', { type: 'approle' });
  expect((await api().post('sys/auth/taken', { type: 'approle' })).body).toEqual({
    errors: ['path is already in use at taken/'],
  });
  expect((await api().delete('sys/auth/token')).body).toEqual({
    errors: ['token credential backend cannot be disabled'],
  });
});

it('changes of methods require sudo, lists do not', async () => {
  await api().put('sys/policies/acl/plain', {
    policy: 'path "sys/auth*" { capabilities = ["create", "read", "update", "delete"] }',
  });
  const { body } = await api().post('auth/token/create', { policies: ['plain'] });
  const plain = api().as(body.auth.client_token);
  expect((await plain.get('sys/auth')).status).toBe(200);
  expect((await plain.post('sys/auth/new', { type: 'approle' })).status).toBe(403);
});
