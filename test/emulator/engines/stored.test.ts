import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator({ storedMounts: true });

test.each([
  ['sys/mounts/pki', 'pki', 'pki'],
  ['sys/auth/ldap', 'ldap', 'auth/ldap'],
])('a mount at %s returns the content that was written below it', async (mount, type, path) => {
  const { api } = use();
  await api.post(mount, { type });
  expect((await api.get(`${path}/roles/web`)).status).toBe(404);
  expect((await api.post(`${path}/roles/web`, { ttl: '1h', names: ['a'] })).status).toBe(204);
  expect((await api.post(`${path}/roles/web`, { ttl: '2h' })).status).toBe(204);
  await api.post(`${path}/config`, { url: 'x' });
  expect((await api.get(`${path}/roles/web`)).body.data).toEqual({ ttl: '2h', names: ['a'] });
  expect((await api.list(`${path}/roles`)).body.data).toEqual({ keys: ['web'] });
  expect((await api.list(path)).body.data).toEqual({ keys: ['config', 'roles/'] });
  expect((await api.delete(`${path}/roles/web`)).status).toBe(204);
  expect((await api.get(`${path}/roles/web`)).status).toBe(404);
  // A second mount of the type does not have the content of the first one.
  await api.post(`${mount}-2`, { type });
  expect((await api.get(`${path}-2/config`)).status).toBe(404);
});

test('a mount of the type has no paths without the option', async () => {
  const { api } = await startTestEmulator();
  await api.post('sys/mounts/pki', { type: 'pki' });
  expect((await api.post('pki/roles/web', { ttl: '1h' })).status).toBe(404);
});
