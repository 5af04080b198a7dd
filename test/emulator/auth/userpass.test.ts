import { useEmulator } from '../support/emulator';

const running = useEmulator();
const api = () => running().api;
const anonymous = () => api().as(undefined);

beforeAll(() => api().post('sys/auth/userpass', { type: 'userpass' }));

const login = (name: string, password: string) =>
  anonymous().post(`auth/userpass/login/${name}`, { password });

it('users log in regardless of the case of their names', async () => {
  await api().put('auth/userpass/users/Ann', {
    password: 'secret',
    token_policies: 'ops, dev',
    token_ttl: '10m',
  });

  const { status, body } = await login('aNN', 'secret');
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: null, lease_duration: 0, mount_type: 'userpass' });
  expect(body.auth).toEqual({
    client_token: expect.stringMatching(/^hvs\./),
    accessor: expect.any(String),
    policies: ['default', 'dev', 'ops'],
    token_policies: ['default', 'dev', 'ops'],
    metadata: { username: 'ann' },
    lease_duration: 600,
    renewable: true,
    entity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    token_type: 'service',
    orphan: true,
    mfa_requirement: null,
    num_uses: 0,
  });

  const self = await api().as(body.auth.client_token).get('auth/token/lookup-self');
  expect(self.body.data).toMatchObject({
    display_name: 'userpass-ann',
    entity_id: body.auth.entity_id,
    meta: { username: 'ann' },
    path: 'auth/userpass/login/aNN',
  });
});

it.each([
  ['ann', 'wrong', 400, 'invalid username or password'],
  ['nobody', 'secret', 400, 'invalid username or password'],
  ['ann', '', 500, 'missing password'],
])('a user %s with %j is refused', async (name, password, status, text) => {
  await api().put('auth/userpass/users/ann', { password: 'secret' });
  const answer = await login(name, password);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ errors: [text] });
});

it('a user is returned without the password', async () => {
  await api().put('auth/userpass/users/bob', { password: 'canary-password', policies: 'Dev,ops', ttl: '1m' });
  const { body, text } = await api().get('auth/userpass/users/bob');
  expect(body.data).toEqual({
    alias_metadata: {},
    policies: ['dev', 'ops'],
    token_bound_cidrs: [],
    token_explicit_max_ttl: 0,
    token_max_ttl: 0,
    token_no_default_policy: false,
    token_num_uses: 0,
    token_period: 0,
    token_policies: ['dev', 'ops'],
    token_ttl: 60,
    token_type: 'default',
    ttl: 60,
  });
  expect(text).not.toContain('canary-password');
  expect((await api().list('auth/userpass/users')).body.data.keys).toContain('bob');
});

it('passwords and policies can be changed separately', async () => {
  await api().put('auth/userpass/users/cid', { password: 'old', token_policies: ['a'] });
  expect((await api().put('auth/userpass/users/cid/password', { password: 'new' })).status).toBe(204);
  expect((await login('cid', 'old')).status).toBe(400);
  expect((await login('cid', 'new')).status).toBe(200);

  expect((await api().put('auth/userpass/users/cid/policies', { token_policies: 'b' })).status).toBe(204);
  expect((await login('cid', 'new')).body.auth.policies).toEqual(['b', 'default']);

  const { status, body } = await api().put('auth/userpass/users/nobody/password', { password: 'x' });
  expect(status).toBe(500);
  expect(body.errors).toEqual(['1 error occurred:\n\t* username does not exist\n\n']);
});

it('a password is only required for a new user', async () => {
  const refused = await api().put('auth/userpass/users/dan', { token_policies: 'a' });
  expect(refused.status).toBe(400);
  expect(refused.body).toEqual({ errors: ['missing password'] });
  await api().put('auth/userpass/users/dan', { password: 'x' });
  expect((await api().put('auth/userpass/users/dan', { token_policies: 'a' })).status).toBe(204);
  expect((await login('dan', 'x')).status).toBe(200);
});

it('a deleted user cannot log in', async () => {
  await api().put('auth/userpass/users/eve', { password: 'x' });
  expect((await api().delete('auth/userpass/users/eve')).status).toBe(204);
  expect((await api().get('auth/userpass/users/eve')).status).toBe(404);
  expect((await login('eve', 'x')).status).toBe(400);
});

it('a user with bound addresses can only log in from these', async () => {
  await api().put('auth/userpass/users/far', { password: 'x', token_bound_cidrs: '192.0.2.0/24' });
  const { status, body } = await login('far', 'x');
  expect(status).toBe(403);
  expect(body).toEqual({ errors: ['permission denied'] });
  await api().put('auth/userpass/users/far', { token_bound_cidrs: '127.0.0.0/8,192.0.2.0/24' });
  expect((await login('far', 'x')).status).toBe(200);
});
