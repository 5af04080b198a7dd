import type { Api } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';
import { asOperator, joinedPair, useSet } from '../replication/support/set';

const SNAPSHOT = 'sys/storage/raft/snapshot';
const otherKeys =
  'could not verify hash file, possibly the snapshot is using a different set of unseal keys; use the snapshot-force ' +
  'API to bypass this check';

/** Downloads the binary file of a snapshot. */
async function download(api: Api, token = 'root'): Promise<Buffer> {
  const answer = await fetch(`${api.address}/v1/${SNAPSHOT}`, { headers: { 'X-Vault-Token': token } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/gzip');
  return Buffer.from(await answer.arrayBuffer());
}

const set = useSet();
const alone = useEmulator({ unavailableMs: 0 });

test('a cluster has the data of a downloaded snapshot after it is restored', async () => {
  const { api } = alone();
  await api.post('sys/mounts/kv', { type: 'kv' });
  await api.post('kv/a', { v: 'before' });
  await api.put('sys/policies/acl/stays', { policy: 'path "a" {}' });
  await api.post('sys/namespaces/team');
  await api.post('sys/auth/userpass', { type: 'userpass' });
  await api.post('auth/userpass/users/ann', { password: 'pw' });
  const file = await download(api);

  await api.post('kv/a', { v: 'after' });
  await api.delete('sys/policies/acl/stays');
  await api.put('sys/policies/acl/goes', { policy: 'path "a" {}' });
  await api.delete('sys/namespaces/team');
  await api.delete('sys/auth/userpass');
  await api.post('sys/mounts/other', { type: 'kv' });
  const later = (await api.post('auth/token/create', {})).body.auth.client_token as string;

  expect((await api.post(SNAPSHOT, file)).status).toBe(204);
  expect((await api.get('kv/a')).body.data).toEqual({ v: 'before' });
  expect((await api.list('sys/policies/acl')).body.data.keys).toEqual(['default', 'stays', 'root']);
  expect((await api.list('sys/namespaces')).body.data.keys).toEqual(['team/']);
  expect((await api.post('auth/userpass/login/ann', { password: 'pw' })).status).toBe(200);
  expect((await api.get('other/a')).status).toBe(404);
  expect((await api.as(later).get('auth/token/lookup-self')).status).toBe(403);
});

test('a cluster that is restored from a snapshot of another keeps its own cluster address', async () => {
  const { primary, secondary } = await joinedPair(set());
  const addressOf = async () => (await secondary.get('sys/leader')).body.leader_cluster_address as string;
  const before = await addressOf();
  const file = await download(primary);
  const operator = await asOperator(set().eu);
  expect((await operator.post(`${SNAPSHOT}-force`, file)).status).toBe(204);
  await set().emulator.clock.settled();
  expect((await secondary.get('sys/health')).body.replication_performance_mode).toBe('primary');
  expect(await addressOf()).toBe(before);
});

test('a cluster that is restored from a snapshot of a secondary is not connected to the primary of that time', async () => {
  const { primary, secondary } = await joinedPair(set());
  const { auth } = (await secondary.post('auth/token/create', {})).body;
  const file = await download(secondary, auth.client_token as string);
  expect((await primary.post(`${SNAPSHOT}-force`, file)).status).toBe(204);
  await set().emulator.clock.settled();
  const status = (await primary.get('sys/replication/performance/status')).body.data;
  expect(status).toMatchObject({ mode: 'secondary', primaries: [{ connection_status: 'disconnected' }] });
});

test('a restore on the primary is replicated to secondaries', async () => {
  const { primary, secondary } = await joinedPair(set());
  await primary.post('sys/mounts/kv', { type: 'kv' });
  await primary.post('kv/a', { v: 'before' });
  const file = await download(primary);
  await primary.post('kv/a', { v: 'after' });
  await primary.post('kv/b', { v: 'after' });
  expect((await secondary.get('kv/b')).body.data).toEqual({ v: 'after' });

  expect((await primary.post(SNAPSHOT, file)).status).toBe(204);
  await set().emulator.clock.settled();
  const operator = await asOperator(set().eu);
  expect((await operator.get('kv/a')).body.data).toEqual({ v: 'before' });
  expect((await operator.get('kv/b')).status).toBe(404);
});

test('a snapshot of another cluster, or a damaged one, is refused', async () => {
  const { api } = alone();
  const other = await startTestEmulator({});
  try {
    const foreign = await download(other.api);
    expect(await api.post(SNAPSHOT, foreign)).toMatchObject({
      status: 400,
      body: { errors: [otherKeys] },
    });
    expect(await api.post(`${SNAPSHOT}-force`, foreign)).toMatchObject({
      status: 400,
      body: { errors: ['the unseal key does not belong to the cluster of the snapshot'] },
    });
  } finally {
    await other.emulator.close();
  }
  expect(await api.post(SNAPSHOT, 'nonsense')).toMatchObject({
    status: 400,
    body: { errors: [expect.stringContaining('this is not a snapshot')] },
  });
  const { client_token: token } = (await api.post('auth/token/create', { policies: ['default'] })).body.auth;
  expect((await api.as(token as string).get(SNAPSHOT)).status).toBe(403);
  expect((await api.get(SNAPSHOT, { namespace: 'nowhere' })).status).toBe(404);
});
