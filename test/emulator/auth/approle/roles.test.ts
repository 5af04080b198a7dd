import { useNewEmulators } from '../../support/emulator';

const running = useNewEmulators();
const api = () => running().api;

beforeEach(() => api().post('sys/auth/approle', { type: 'approle' }));

const unset = {
  alias_metadata: {},
  bind_secret_id: true,
  local_secret_ids: false,
  secret_id_bound_cidrs: null,
  secret_id_num_uses: 0,
  secret_id_ttl: 0,
  token_bound_cidrs: [],
  token_explicit_max_ttl: 0,
  token_max_ttl: 0,
  token_no_default_policy: false,
  token_num_uses: 0,
  token_period: 0,
  token_policies: [],
  token_ttl: 0,
  token_type: 'default',
};

it('a role is read back as it was written, typed, with defaults for the other fields', async () => {
  expect((await api().post('auth/approle/role/App', {})).status).toBe(204);
  expect((await api().get('auth/approle/role/app')).body.data).toEqual(unset);

  await api().post('auth/approle/role/app', {
    token_policies: 'a,b',
    token_ttl: '20m',
    secret_id_ttl: '600',
    secret_id_num_uses: '4',
    secret_id_bound_cidrs: ['127.0.0.0/8'],
  });
  expect((await api().get('auth/approle/role/app')).body.data).toEqual({
    ...unset,
    secret_id_bound_cidrs: ['127.0.0.0/8'],
    secret_id_num_uses: 4,
    secret_id_ttl: 600,
    token_policies: ['a', 'b'],
    token_ttl: 1200,
  });
  expect((await api().list('auth/approle/role')).body.data).toEqual({ keys: ['app'] });
});

it('a role gets a generated role id, or a chosen one that is not in use', async () => {
  await api().post('auth/approle/role/one', {});
  await api().post('auth/approle/role/two', {});
  expect((await api().get('auth/approle/role/one/role-id')).body.data).toEqual({
    role_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect((await api().put('auth/approle/role/one/role-id', { role_id: 'chosen' })).status).toBe(204);
  expect((await api().get('auth/approle/role/one/role-id')).body.data).toEqual({ role_id: 'chosen' });

  const { status, body } = await api().put('auth/approle/role/two/role-id', { role_id: 'chosen' });
  expect(status).toBe(500);
  expect(body.errors).toEqual(['1 error occurred:\n\t* role_id already in use\n\n']);
});

it.each([
  [{ secret_id_num_uses: -1 }, 400, 'secret_id_num_uses cannot be negative'],
  [
    { secret_id_bound_cidrs: 'here' },
    500,
    '1 error occurred:\n\t* failed to validate CIDR blocks: invalid CIDR address: here\n\n',
  ],
  [{ role_id: '' }, 400, 'invalid role_id supplied, or failed to generate a role_id'],
  [
    { token_period: '1000h' },
    400,
    `period of "1000h0m0s" is greater than the backend's maximum lease TTL of "768h0m0s"`,
  ],
  [
    { bind_secret_id: false },
    500,
    '1 error occurred:\n\t* at least one constraint should be enabled on the role\n\n',
  ],
])('a role with %j is refused', async (fields, status, text) => {
  const answer = await api().post('auth/approle/role/refused', fields);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ errors: [text] });
  expect((await api().get('auth/approle/role/refused')).status).toBe(404);
});

it('a write warns about the values that it changes', async () => {
  const typed = await api().post('auth/approle/role/warned', { token_type: 'default-service' });
  expect(typed.body.warnings).toEqual(['default-service has no useful meaning; adjusting to service']);
  const long = await api().post('auth/approle/role/warned', { token_max_ttl: '1000h' });
  expect(long.body.warnings).toEqual([
    "token_max_ttl is greater than the backend mount's maximum TTL value; issued tokens' max TTL value will be truncated",
  ]);
});

it('local_secret_ids can only be set when the role is created', async () => {
  await api().post('auth/approle/role/local', { local_secret_ids: true });
  expect((await api().get('auth/approle/role/local/local-secret-ids')).body.data).toEqual({
    local_secret_ids: true,
  });
  const { status, body } = await api().post('auth/approle/role/local', { local_secret_ids: false });
  expect(status).toBe(400);
  expect(body).toEqual({ errors: ['local_secret_ids can only be modified during role creation'] });
});

it.each([
  ['policies', { token_policies: ['x'] }, { token_policies: [] }],
  ['period', { token_period: 60 }, { token_period: 0 }],
  ['secret-id-num-uses', { secret_id_num_uses: 3 }, { secret_id_num_uses: 0 }],
  ['secret-id-ttl', { secret_id_ttl: 60 }, { secret_id_ttl: 0 }],
  ['secret-id-bound-cidrs', { secret_id_bound_cidrs: ['10.0.0.0/8'] }, { secret_id_bound_cidrs: [] }],
  ['token-bound-cidrs', { token_bound_cidrs: ['10.0.0.0/8'] }, { token_bound_cidrs: [] }],
  ['token-max-ttl', { token_max_ttl: 60 }, { token_max_ttl: 0 }],
  ['token-num-uses', { token_num_uses: 3 }, { token_num_uses: 0 }],
  ['token-ttl', { token_ttl: 60 }, { token_ttl: 0 }],
  ['bind-secret-id', { bind_secret_id: true }, { bind_secret_id: true }],
])('the field %s of a role has a path of its own', async (segment, value, byDefault) => {
  const path = `auth/approle/role/fields/${segment}`;
  await api().post('auth/approle/role/fields', {});
  expect((await api().post(path, value)).status).toBe(204);
  expect((await api().get(path)).body.data).toEqual(value);
  expect((await api().delete(path)).status).toBe(204);
  expect((await api().get(path)).body.data).toEqual(byDefault);
  expect((await api().post(path, {})).status).toBe(400);
  expect((await api().post(path.replace('fields', 'nowhere'), value)).status).toBe(404);
});
