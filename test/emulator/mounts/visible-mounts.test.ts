import { useEmulator } from '../support/emulator';

const running = useEmulator();
const api = () => running().api;

async function client(policy: string) {
  await api().put('sys/policies/acl/p', { policy });
  const { body } = await api().post('auth/token/create', { policies: ['p'], no_default_policy: true });
  return api().as(body.auth.client_token);
}

beforeAll(async () => {
  await api().post('sys/mounts/seen', {
    type: 'kv',
    options: { version: '2' },
    description: 'for all',
    config: { listing_visibility: 'unauth' },
  });
  await api().post('sys/mounts/hidden', { type: 'kv' });
  await api().post('sys/auth/people', { type: 'userpass', config: { listing_visibility: 'unauth' } });
});

it('mounts that are tuned to be listed are shown without a token', async () => {
  const { body } = await api().as(undefined).get('sys/internal/ui/mounts');
  expect(body.data).toEqual({
    auth: { 'people/': { description: '', options: {}, type: 'userpass' } },
    secret: { 'seen/': { description: 'for all', options: { version: '2' }, type: 'kv' } },
  });
});

it('a token sees the mounts that it has access to', async () => {
  const reader = await client('path "hidden/a/b" { capabilities = ["read"] }');
  const { data } = (await reader.get('sys/internal/ui/mounts')).body;
  expect(Object.keys(data.secret)).toEqual(['hidden/', 'seen/']);
  expect(data.secret['hidden/']).toMatchObject({ accessor: expect.any(String), type: 'kv' });
  expect(Object.keys((await api().get('sys/internal/ui/mounts')).body.data.secret)).toContain('sys/');
});

it('the mount of a path is returned', async () => {
  const reader = await client('path "seen/data/app" { capabilities = ["read"] }');
  const { body } = await reader.get('sys/internal/ui/mounts/seen/app');
  expect(body.data).toMatchObject({ path: 'seen/', type: 'kv', options: { version: '2' } });
});

it.each(['hidden/app', 'nowhere/app'])('the mount of %s is not returned without access', async (path) => {
  const stranger = await client('path "seen/*" { capabilities = ["read"] }');
  const { status, body } = await stranger.get(`sys/internal/ui/mounts/${path}`);
  expect(status).toBe(403);
  expect(body).toEqual({
    errors: [
      `preflight capability check returned 403, please ensure client's policies grant access to path "${path}/"`,
    ],
  });
});

it('mounts in child namespaces are returned', async () => {
  await api().post('sys/namespaces/team');
  await api().post('sys/mounts/kv', { type: 'kv' }, { namespace: 'team' });
  expect((await api().get('sys/internal/ui/mounts/team/kv/x')).body.data.path).toBe('team/kv/');
  expect((await api().get('sys/internal/ui/mounts/kv/x', { namespace: 'team' })).body.data.path).toBe('kv/');
});

it('a token is required to read a single mount', async () => {
  const { status, body } = await api().as(undefined).get('sys/internal/ui/mounts/seen');
  expect(status).toBe(403);
  expect(body).toEqual({ errors: ['permission denied'] });
});
