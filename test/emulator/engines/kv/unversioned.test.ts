import { useEmulator } from '../../support/emulator';

const running = useEmulator();
const api = () => running().api;

beforeAll(() => api().post('sys/mounts/plain', { type: 'kv' }));

it('a secret is returned as it was written, with a lease duration', async () => {
  expect(
    (await api().put('plain/team/app', { user: 'ann', nested: { n: 1, list: [true, null] } })).status,
  ).toBe(204);

  const { status, body } = await api().get('plain/team/app');
  expect(status).toBe(200);
  expect(body).toEqual({
    request_id: expect.any(String),
    lease_id: '',
    renewable: false,
    lease_duration: 2764800,
    data: { user: 'ann', nested: { n: 1, list: [true, null] } },
    wrap_info: null,
    warnings: null,
    auth: null,
    mount_type: 'kv',
  });
});

it('a write replaces the whole secret', async () => {
  await api().put('plain/replaced', { a: 1, b: 2 });
  await api().post('plain/replaced', { b: 3 });
  expect((await api().get('plain/replaced')).body.data).toEqual({ b: 3 });
});

it.each([
  [{ ttl: '1h', a: 1 }, 3600],
  [{ lease: 90 }, 90],
  [{ ttl: 'soon' }, 2764800],
])('the ttl %j becomes a lease duration of %i', async (secret, seconds) => {
  await api().put('plain/hinted', secret);
  const { body } = await api().get('plain/hinted');
  expect(body.lease_duration).toBe(seconds);
  expect(body.data).toEqual(secret);
});

it('folders and secrets below a path are listed', async () => {
  await api().put('plain/list/a', { x: 1 });
  await api().put('plain/list/a/b', { x: 1 });
  await api().put('plain/list/c', { x: 1 });
  const keys = ['a', 'a/', 'c'];
  expect((await api().list('plain/list')).body.data).toEqual({ keys });
  expect((await api().list('plain/list/')).body.data).toEqual({ keys });
  expect((await api().get('plain/list?list=true')).body.data).toEqual({ keys });
  expect((await api().list('plain')).body.data.keys).toContain('list/');
});

it('a deleted or unknown secret is not found', async () => {
  await api().put('plain/short', { x: 1 });
  expect((await api().delete('plain/short')).status).toBe(204);
  expect((await api().delete('plain/short')).status).toBe(204);
  for (const answer of [await api().get('plain/short'), await api().list('plain/empty')]) {
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ errors: [] });
  }
});

it('a secret without fields is refused', async () => {
  const { status, body } = await api().put('plain/empty', {});
  expect(status).toBe(400);
  expect(body).toEqual({ errors: ['missing data fields'] });
});

it('a policy can allow only create or only update', async () => {
  await api().put('sys/policies/acl/creator', { policy: 'path "plain/new/*" { capabilities = ["create"] }' });
  const { body } = await api().post('auth/token/create', { policies: ['creator'] });
  const creator = api().as(body.auth.client_token);
  expect((await creator.put('plain/new/a', { x: 1 })).status).toBe(204);
  expect((await creator.put('plain/new/a', { x: 2 })).status).toBe(403);
});
