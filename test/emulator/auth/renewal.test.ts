import { useEmulator } from '../support/emulator';

const running = useEmulator();
const api = () => running().api;

beforeAll(async () => {
  await api().post('sys/auth/approle', { type: 'approle' });
  await api().post('sys/auth/userpass', { type: 'userpass' });
});

async function roleToken() {
  const roleId = (await api().get('auth/approle/role/r/role-id')).body.data.role_id;
  const secretId = (await api().post('auth/approle/role/r/secret-id')).body.data.secret_id;
  const { body } = await api().post('auth/approle/login', { role_id: roleId, secret_id: secretId });
  return api().as(body.auth.client_token);
}

it('a token of a login is renewed with the present limits of its role', async () => {
  await api().put('auth/approle/role/r', { token_ttl: '1m', token_max_ttl: '1h' });
  const client = await roleToken();
  await api().put('auth/approle/role/r', { token_ttl: '5m' });
  expect((await client.post('auth/token/renew-self')).body.auth.lease_duration).toBe(300);
  expect((await client.post('auth/token/renew-self', { increment: '20m' })).body.auth.lease_duration).toBe(
    1200,
  );

  await api().put('auth/approle/role/r', { token_ttl: '5m', token_max_ttl: '10m' });
  const { body } = await client.post('auth/token/renew-self', { increment: '20m' });
  expect(body.auth.lease_duration).toBeLessThanOrEqual(600);
  expect(body.warnings).toHaveLength(1);
});

it('a token of a deleted role cannot be renewed', async () => {
  await api().put('auth/approle/role/r', { token_ttl: '1m' });
  const client = await roleToken();
  await api().delete('auth/approle/role/r');
  const { status, body } = await client.post('auth/token/renew-self');
  expect(status).toBe(500);
  expect(body.errors).toEqual(['1 error occurred:\n\t* role "r" does not exist during renewal\n\n']);
});

it('a token whose user has other policies now cannot be renewed', async () => {
  await api().put('auth/userpass/users/ann', { password: 'x', token_policies: 'a' });
  const { body } = await api().post('auth/userpass/login/ann', { password: 'x' });
  const client = api().as(body.auth.client_token);
  await api().put('auth/userpass/users/ann', { token_policies: 'default,a' });
  expect((await client.post('auth/token/renew-self')).status).toBe(200);

  await api().put('auth/userpass/users/ann', { token_policies: 'a,b' });
  const { status, body: refusal } = await client.post('auth/token/renew-self');
  expect(status).toBe(500);
  expect(refusal.errors).toEqual(['1 error occurred:\n\t* policies have changed, not renewing\n\n']);
});
