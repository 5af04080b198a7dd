import { useEmulator } from '../support/emulator';

const use = useEmulator({ unavailableMs: 0 });
const INHERITED = ['constructor', 'toString', 'hasOwnProperty'];

test.each([...INHERITED, '__proto__'])('the path %s is unknown to the server', async (name) => {
  const { api } = use();
  for (const method of ['GET', 'POST', 'LIST']) expect((await api.send(method, name)).status).toBe(404);
});

test.each(INHERITED)('%s can be the id of a secondary', async (id) => {
  const { api } = use();
  await api.post('sys/replication/performance/primary/enable', {});
  const base = 'sys/replication/performance/primary';
  expect((await api.get(`${base}/paths-filter/${id}`)).status).toBe(404);
  expect((await api.get(`${base}/dynamic-filter/${id}`)).status).toBe(404);
  expect((await api.post(`${base}/secondary-token`, { id })).status).toBe(200);
  const filter = { mode: 'deny', paths: ['a/'] };
  expect((await api.post(`${base}/paths-filter/${id}`, filter)).status).toBe(204);
  expect((await api.get(`${base}/paths-filter/${id}`)).body.data).toEqual(filter);
  expect((await api.delete(`${base}/paths-filter/${id}`)).status).toBe(204);
  expect((await api.get(`${base}/paths-filter/${id}`)).status).toBe(404);
  expect((await api.post(`${base}/revoke-secondary`, { id })).status).toBe(204);
});

test('the mode of a filter must be one of the allowed values, and an empty mode is the default', async () => {
  const { api } = use();
  const filter = 'sys/replication/performance/primary/paths-filter/eu';
  await api.post('sys/replication/performance/primary/enable', {});
  for (const mode of [...INHERITED, '__proto__', 'ALLOW'])
    expect((await api.post(filter, { mode, paths: ['a/'] })).status).toBe(400);
  for (const body of [
    '{"mode":"","paths":["a/"]}',
    '{"mode":null,"paths":["a/"]}',
    '{"paths":["a/"],"__proto__":{"mode":"x"}}',
  ]) {
    expect((await api.post(filter, body)).status).toBe(204);
    expect((await api.get(filter)).body.data).toEqual({ mode: 'allow', paths: ['a/'] });
    expect((await api.get(filter.replace('paths', 'dynamic'))).status).toBe(200);
  }
});

test('a patch of a secret sets __proto__ and constructor like other keys', async () => {
  const { api } = use();
  await api.post('sys/mounts/kv', { type: 'kv', options: { version: '2' } });
  await api.post('kv/data/a', '{"data":{"x":1}}');
  const patch = '{"data":{"__proto__":{"y":2},"constructor":{"z":3}}}';
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  expect((await api.send('PATCH', 'kv/data/a', { body: patch, headers })).status).toBe(200);
  expect((await api.get('kv/data/a')).text).toContain(
    '"data":{"x":1,"__proto__":{"y":2},"constructor":{"z":3}}',
  );
});

test.each(INHERITED)('the name %s is not a curve, collection or built-in setting', async (name) => {
  const { api } = use();
  const keys = '/emulator/v1/key-stores/pkcs11/keys';
  const key = { slot: '0', key_label: 'a', key_type: 'ECDSA', curve: name };
  expect((await api.post(keys, key)).status).toBe(400);
  expect((await api.get(`/emulator/v1/key-stores/pkcs11/${name}`)).status).toBe(404);
  expect((await api.get(`/emulator/v1/key-stores/${name}/keys`)).status).toBe(404);
  for (const setting of ['assignment', 'key', 'scope', 'provider'])
    expect((await api.get(`identity/oidc/${setting}/${name}`)).status).toBe(404);
});
