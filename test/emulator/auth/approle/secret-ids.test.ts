import { timestamp } from '../../../../src/emulator/core/primitives/clock';
import { useEmulator } from '../../support/emulator';

const running = useEmulator();
const api = () => running().api;
const clock = () => running().emulator.clock;
const role = 'auth/approle/role/app';

beforeAll(async () => {
  clock().freeze();
  await api().post('sys/auth/approle', { type: 'approle' });
});
beforeEach(async () => {
  await api().delete(role);
  await api().post(role, { role_id: 'app-id', token_policies: 'ops' });
});

const issue = async (fields: object = {}) => (await api().post(`${role}/secret-id`, fields)).body.data;
const login = (secretId: unknown, roleId = 'app-id') =>
  api().as(undefined).post('auth/approle/login', { role_id: roleId, secret_id: secretId });
const refusal = { errors: ['invalid role or secret ID'] };

it('a secret id with its role id logs in', async () => {
  const secretId = await issue({ metadata: '{"team":"ops"}' });
  expect(secretId).toEqual({
    secret_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    secret_id_accessor: expect.stringMatching(/^[0-9a-f-]{36}$/),
    secret_id_num_uses: 0,
    secret_id_ttl: 0,
  });

  const { status, body } = await login(secretId.secret_id);
  expect(status).toBe(200);
  expect(body.auth).toMatchObject({
    metadata: { role_name: 'app', team: 'ops' },
    policies: ['default', 'ops'],
    orphan: true,
  });
  const self = await api().as(body.auth.client_token).get('auth/token/lookup-self');
  expect(self.body.data).toMatchObject({ display_name: 'approle', path: 'auth/approle/login' });
});

it.each([
  ['', 'x', 400, { errors: ['missing role_id'] }],
  ['app-id', '', 400, { errors: ['missing secret_id'] }],
  ['app-id', 'wrong', 400, refusal],
  ['wrong', 'x', 400, refusal],
])('a login with role id %j and secret id %j is refused', async (roleId, secretId, status, expected) => {
  const answer = await login(secretId, roleId);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual(expected);
});

it('a chosen secret id can be registered once', async () => {
  const custom = () => api().post(`${role}/custom-secret-id`, { secret_id: 'chosen' });
  expect((await custom()).body.data).toMatchObject({ secret_id: 'chosen' });
  const { status, body } = await custom();
  expect(status).toBe(500);
  expect(body.errors).toEqual([
    '1 error occurred:\n\t* failed to store secret_id: SecretID is already registered\n\n',
  ]);
  expect((await login('chosen')).status).toBe(200);
});

it('secret ids are looked up and listed by accessor, without the secret', async () => {
  const { secret_id, secret_id_accessor } = await issue({
    ttl: '10m',
    num_uses: 3,
    cidr_list: '127.0.0.0/8',
  });
  const expected = {
    cidr_list: ['127.0.0.0/8'],
    creation_time: timestamp(clock().now()),
    expiration_time: timestamp(clock().now() + 600_000),
    last_updated_time: timestamp(clock().now()),
    metadata: {},
    secret_id_accessor,
    secret_id_num_uses: 3,
    secret_id_ttl: 600,
    token_bound_cidrs: [],
  };
  expect((await api().post(`${role}/secret-id/lookup`, { secret_id })).body.data).toEqual(expected);
  const byAccessor = await api().post(`${role}/secret-id-accessor/lookup`, { secret_id_accessor });
  expect(byAccessor.body.data).toEqual(expected);
  expect(byAccessor.text).not.toContain(secret_id);
  expect((await api().list(`${role}/secret-id`)).body.data).toEqual({ keys: [secret_id_accessor] });
});

it('a secret id without TTL has no expiration time', async () => {
  const { secret_id } = await issue();
  const { body } = await api().post(`${role}/secret-id/lookup`, { secret_id });
  expect(body.data.expiration_time).toBe('0001-01-01T00:00:00Z');
});

it('a secret id with limited uses ends after the last one', async () => {
  const { secret_id } = await issue({ num_uses: 2 });
  expect((await login(secret_id)).status).toBe(200);
  expect((await api().post(`${role}/secret-id/lookup`, { secret_id })).body.data.secret_id_num_uses).toBe(1);
  expect((await login(secret_id)).status).toBe(200);
  expect((await login(secret_id)).body).toEqual(refusal);
});

it('a secret id ends after its TTL', async () => {
  const { secret_id } = await issue({ ttl: '10m' });
  clock().advance(599_000);
  expect((await login(secret_id)).status).toBe(200);
  clock().advance(1000);
  expect((await login(secret_id)).body).toEqual(refusal);
  expect((await api().list(`${role}/secret-id`)).status).toBe(404);
});

it.each([
  [{ num_uses: 5 }, "num_uses cannot be higher than the role's secret_id_num_uses"],
  [{ num_uses: 0 }, "num_uses cannot be higher than the role's secret_id_num_uses"],
  [{ num_uses: -1 }, 'num_uses cannot be negative'],
  [{ ttl: '2h' }, "ttl cannot be longer than the role's secret_id_ttl"],
  [{ ttl: 0 }, "ttl cannot be longer than the role's secret_id_ttl"],
])('a secret id that exceeds a limit of the role is refused: %j', async (fields, text) => {
  await api().post(role, { secret_id_num_uses: 4, secret_id_ttl: '1h' });
  expect(await issue()).toMatchObject({ secret_id_num_uses: 4, secret_id_ttl: 3600 });
  const { status, body } = await api().post(`${role}/secret-id`, fields);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: [text] });
});

it.each([
  ['secret-id', 'secret_id'],
  ['secret-id-accessor', 'secret_id_accessor'],
] as const)('a secret id is destroyed by %s', async (segment, field) => {
  const path = `${role}/${segment}/destroy`;
  const destroyed = [
    (value: string) => api().post(path, { [field]: value }),
    (value: string) => api().delete(`${path}?${field}=${value}`),
  ];
  for (const destroy of destroyed) {
    const secretId = await issue();
    expect((await destroy(secretId[field])).status).toBe(204);
    expect((await login(secretId.secret_id)).body).toEqual(refusal);
  }
});

it('the accessor of a destroyed secret id is not found', async () => {
  const body = { secret_id_accessor: 'gone' };
  expect((await api().post(`${role}/secret-id-accessor/lookup`, body)).status).toBe(404);
  expect((await api().post(`${role}/secret-id-accessor/destroy`, body)).status).toBe(500);
});

it('secret ids are deleted with their role', async () => {
  const { secret_id } = await issue();
  await api().delete(role);
  expect((await login(secret_id)).body).toEqual(refusal);
  await api().post(role, { role_id: 'app-id' });
  expect((await login(secret_id)).body).toEqual(refusal);
});

it('a secret id with bound addresses only logs in from these', async () => {
  const { secret_id } = await issue({ cidr_list: ['192.0.2.0/24'] });
  const { status, body } = await login(secret_id);
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    'source address "127.0.0.1" unauthorized through CIDR restrictions on the secret ID',
  ]);
});

it("a secret id's addresses outside of the role's are refused", async () => {
  await api().post(role, { secret_id_bound_cidrs: '127.0.0.0/8' });
  const { status, body } = await api().post(`${role}/secret-id`, { cidr_list: '10.0.0.0/8' });
  expect(status).toBe(500);
  expect(body.errors[0]).toContain('failed to verify subset relationship between CIDR blocks on the role');
  expect((await login((await issue({ cidr_list: '127.0.0.0/16' })).secret_id)).status).toBe(200);
});

it('a role that binds addresses needs no secret id', async () => {
  await api().post(role, { bind_secret_id: false, secret_id_bound_cidrs: '127.0.0.0/8' });
  expect((await login(undefined)).status).toBe(200);
  const { status, body } = await api().post(`${role}/secret-id`);
  expect(status).toBe(400);
  expect(body).toEqual({ errors: ['bind_secret_id is not set on the role'] });
});

it('a wrapped secret id has its accessor in wrap_info', async () => {
  const { body } = await api().send('POST', `${role}/secret-id`, { headers: { 'X-Vault-Wrap-TTL': '60s' } });
  const { keys } = (await api().list(`${role}/secret-id`)).body.data;
  expect(keys).toEqual([body.wrap_info.wrapped_accessor]);
});
