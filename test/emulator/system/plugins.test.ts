import { useEmulator } from '../support/emulator';

const use = useEmulator();

test('the catalogue has the types that can be mounted', async () => {
  const { api } = use();
  const { auth, database, secret, detailed } = (await api.get('sys/plugins/catalog')).body.data;
  expect(auth).toEqual(expect.arrayContaining(['approle', 'userpass']));
  expect(auth).not.toContain('token');
  expect(secret).toEqual(expect.arrayContaining(['kv', 'pki']));
  expect(database).toEqual([]);
  expect(detailed).toHaveLength(auth.length + secret.length);
  expect((await api.list('sys/plugins/catalog/auth')).body.data.keys).toEqual(auth);
  expect((await api.get('sys/plugins/catalog/auth/userpass')).body.data).toEqual({
    args: null,
    builtin: true,
    command: '',
    deprecation_status: 'supported',
    name: 'userpass',
    sha256: '',
    version: detailed[0].version,
  });
  expect((await api.get('sys/plugins/catalog/auth/none')).status).toBe(404);
  for (const type of auth as string[]) {
    expect([type, (await api.post(`sys/auth/${type}-here`, { type })).status]).toEqual([type, 204]);
  }
});

test('endpoints that the emulator leaves out are listed with the reason, and answer 404', async () => {
  const { api } = use();
  const listed = (await api.get('/emulator/v1/')).body.out_of_scope as { path: string; reason: string }[];
  expect(listed.map(({ path }) => path)).toContain('sys/tools/*');
  for (const { path, reason } of listed) {
    expect(reason).not.toBe('');
    expect([path, (await api.get(path.replace('*', 'x'))).status]).toEqual([path, 404]);
  }
});
