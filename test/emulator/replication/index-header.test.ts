import { startTestEmulator } from '../support/emulator';
import { joinedPair, useSet } from './support/set';

const use = useSet();

const indexOf = (answer: { readonly headers: NodeJS.Dict<string | string[]> }) =>
  String(answer.headers['x-vault-index']);
const withIndex = (...indexes: readonly string[]) => ({ headers: { 'X-Vault-Index': indexes.join(', ') } });

test('a write returns the position of the set, and a secondary that is behind it refuses requests with this position', async () => {
  const { primary, secondary } = await joinedPair(use());
  const { replication } = use().emulator;
  await primary.post('sys/mounts/kv', { type: 'kv' });
  replication.pause('eu');
  const seen = indexOf(await primary.post('kv/a', { v: '1' }));
  const old = await secondary.get('kv/a');
  expect([old.status, 'x-vault-index' in old.headers]).toEqual([404, false]);
  expect(await secondary.get('kv/a', withIndex(seen))).toMatchObject({
    status: 412,
    body: { errors: ['required index state not present'] },
  });
  expect((await primary.get('kv/a', withIndex(seen))).status).toBe(200);

  // The write is forwarded, and a warning says that the secondary has not received it yet.
  const late = await secondary.post('kv/b', { v: '2' });
  expect(late.status).toBe(200);
  expect((await secondary.get('kv/b', withIndex(indexOf(late)))).status).toBe(412);

  replication.resume('eu');
  for (const index of [seen, indexOf(late)]) {
    expect((await secondary.get('kv/a', withIndex(index))).body.data).toEqual({ v: '1' });
  }
  expect((await secondary.get('kv/a', withIndex(seen, indexOf(late)))).status).toBe(200);
});

test('an index that the set has not issued is refused', async () => {
  const { us, eu } = use();
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const own = indexOf(await us.post('sys/policies/acl/a', { policy: 'path "a" {}' }));
  const [version, clusterId, local, , sum] = Buffer.from(own, 'base64').toString().split(':');
  expect([version, Number(local) > 0]).toEqual(['v1', true]);
  const next = indexOf(await us.post('sys/policies/acl/a', { policy: 'path "b" {}' }));
  expect(Buffer.from(next, 'base64').toString().split(':')[2]).toBe(String(Number(local) + 1));
  for (const [index, error] of [
    ['nonsense', 'invalid full state header format'],
    [encoded(`v1:${clusterId}:999:999:${sum}`), 'invalid HMAC in state header'],
  ] as const) {
    expect(await us.get('sys/policies/acl/a', withIndex(index))).toMatchObject({
      status: 400,
      body: { errors: [error] },
    });
  }
  expect((await us.get('sys/policies/acl/a', withIndex(own))).status).toBe(200);
  // Clusters of different sets have different keys.
  expect((await eu.get('sys/policies/acl/a', withIndex(own))).status).toBe(400);
});

test('an open-source server returns no index', async () => {
  const { api } = await startTestEmulator({ serverVersion: '1.21.0' });
  const { status, headers } = await api.put('sys/policies/acl/a', { policy: 'path "a" {}' });
  expect([status, 'x-vault-index' in headers]).toEqual([204, false]);
  expect((await api.get('sys/policies/acl/a', withIndex('nonsense'))).status).toBe(200);
});
