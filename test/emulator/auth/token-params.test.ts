import { useEmulator } from '../support/emulator';

const running = useEmulator();
const api = () => running().api;
const role = 'auth/approle/role/r';

beforeAll(() => api().post('sys/auth/approle', { type: 'approle' }));

async function login() {
  const roleId = (await api().get(`${role}/role-id`)).body.data.role_id;
  const secretId = (await api().post(`${role}/secret-id`)).body.data.secret_id;
  return api().as(undefined).post('auth/approle/login', { role_id: roleId, secret_id: secretId });
}

beforeEach(() => api().delete(role));

it.each([
  [{ token_ttl: '2h', token_max_ttl: '1h' }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
  [{ token_num_uses: -1 }, "'token_num_uses' cannot be negative"],
  [{ token_type: 'durable' }, `invalid 'token_type' value "durable"`],
  [
    { token_type: 'batch', token_period: '1h' },
    "'token_type' cannot be 'batch' or 'default_batch' when set to generate periodic tokens",
  ],
  [
    { token_type: 'batch', token_num_uses: 2 },
    "'token_type' cannot be 'batch' or 'default_batch' when set to generate tokens with limited use count",
  ],
  [
    { token_bound_cidrs: 'here' },
    'error parsing address "here": Unable to convert "here" to an IPv4 or IPv6 address, or a UNIX Socket',
  ],
])('a role with %j is refused', async (params, text) => {
  const { status, body } = await api().put(role, params);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [text] });
});

it.each([
  [
    {},
    { lease_duration: 2764800, renewable: true, token_type: 'service', policies: ['default'], num_uses: 0 },
  ],
  [{ token_ttl: 60 }, { lease_duration: 60 }],
  [{ token_period: '1h' }, { lease_duration: 3600 }],
  [{ token_ttl: '2h', token_explicit_max_ttl: '1h' }, { lease_duration: 3600 }],
  [{ token_num_uses: 3 }, { num_uses: 3 }],
  [{ token_policies: 'b,a,b' }, { policies: ['a', 'b', 'default'] }],
  [{ token_policies: 'a', token_no_default_policy: true }, { policies: ['a'] }],
  [{ token_type: 'batch' }, { token_type: 'batch', renewable: false, accessor: '' }],
])('a role with %j accepts logins', async (params, expected) => {
  await api().put(role, params);
  expect((await login()).body.auth).toMatchObject(expected);
});

it.each(['root', 'response-wrapping'])('no login gets the policy %s', async (policy) => {
  await api().put(role, { token_policies: policy });
  expect((await login()).status).toBe(400);
});

it('a token with bound addresses only works from these', async () => {
  await api().put(role, { token_bound_cidrs: '192.0.2.1' });
  const { body } = await login();
  const answer = await api().as(body.auth.client_token).get('auth/token/lookup-self');
  expect(answer.status).toBe(403);
});

it('former names of fields are shown if the last write used them', async () => {
  await api().put(role, { policies: 'a', period: 60 });
  expect((await api().get(role)).body.data).toMatchObject({
    policies: ['a'],
    token_policies: ['a'],
    period: 60,
  });
  await api().put(role, { token_policies: 'b' });
  const { data } = (await api().get(role)).body;
  expect(data).toMatchObject({ token_policies: ['b'], period: 60, token_period: 60 });
  expect(data).not.toHaveProperty('policies');
});

describe('metadata for aliases', () => {
  it('the metadata of an alias is shown on the entity', async () => {
    await api().put(role, { alias_metadata: { team: 'ops' } });
    const { body } = await login();
    const entity = await api().get(`identity/entity/id/${body.auth.entity_id}`);
    expect(entity.body.data.aliases[0].custom_metadata).toEqual({ team: 'ops' });
  });
});

describe('tuning of the mount', () => {
  afterEach(() =>
    api().post('sys/auth/approle/tune', {
      token_type: 'default-service',
      default_lease_ttl: 'system',
      max_lease_ttl: 'system',
    }),
  );

  it.each([
    ['service', 'batch', 'service'],
    ['batch', 'default', 'batch'],
    ['default-batch', 'default', 'batch'],
    ['default-batch', 'service', 'service'],
    ['default-service', 'batch', 'batch'],
  ])(
    'token_type=%s of the mount and %s of the role lead to a token of type %s',
    async (mount, ofRole, expected) => {
      await api().post('sys/auth/approle/tune', { token_type: mount });
      await api().put(role, { token_type: ofRole });
      expect((await login()).body.auth.token_type).toBe(expected);
    },
  );

  it('the TTLs of the mount limit those of tokens', async () => {
    await api().post('sys/auth/approle/tune', { default_lease_ttl: '10m', max_lease_ttl: '1h' });
    await api().put(role, {});
    expect((await login()).body.auth.lease_duration).toBe(600);
    await api().put(role, { token_ttl: '2h' });
    const { body } = await login();
    expect(body.auth.lease_duration).toBe(3600);
    expect(body.warnings).toEqual([
      'TTL of "2h" exceeded the effective max_ttl of "1h"; TTL value is capped accordingly',
    ]);
  });
});
