import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator';
import { emulate } from '../../../src/emulator/emulator';
import { Api, type Answer } from '../support/api';

let emulator: Emulator<'default'> | undefined;

afterEach(async () => {
  await emulator?.close();
  emulator = undefined;
});

/** Starts a cluster with two standbys. The nodes are in the order of their ports. */
async function start(options: EmulatorOptions<'default'> = {}): Promise<readonly [Api, Api, Api]> {
  emulator = await startEmulator({ rootToken: 'root', standbys: 2, ...options });
  const [first, second, third] = emulator.clusters.default.nodes.all.map(({ address }) => new Api(address));
  return [first!, second!, third!];
}

const nodes = () => emulator!.clusters.default.nodes;
const headers = (values: Readonly<Record<string, string>>) => ({ headers: values });
const indexOf = (answer: Answer) => String(answer.headers['x-vault-index']);
const KV = { type: 'kv' };

describe('the health of standbys', () => {
  test.each([
    ['', 473],
    ['?perfstandbyok=true', 200],
    ['?standbyok=true', 473],
    ['?performancestandbycode=299', 299],
    ['?perfstandbyok=true&activecode=298', 298],
    ['?standbycode=299', 473],
  ])('the health of a performance standby with "%s" answers %d', async (query, expected) => {
    const [active, standby] = await start();
    const { status, body } = await standby.as(undefined).get(`sys/health${query}`);
    expect([status, body]).toMatchObject([
      expected,
      { standby: true, performance_standby: true, sealed: false, replication_dr_mode: 'disabled' },
    ]);
    expect((await active.get('sys/health')).body).toMatchObject({
      standby: false,
      performance_standby: false,
    });
  });

  test.each([
    ['', 429],
    ['?standbyok=true', 200],
    ['?perfstandbyok=true', 429],
    ['?standbycode=299', 299],
  ])('the health of a standby of the open-source edition with "%s" answers %d', async (query, expected) => {
    const [, standby] = await start({ serverVersion: '1.21.0' });
    const { status, body } = await standby.get(`sys/health${query}`);
    expect([status, body]).toMatchObject([expected, { standby: true, performance_standby: false }]);
  });
});

test('every node names the active node, and lists all nodes', async () => {
  const [active, standby, other] = await start();
  const leader = async (node: Api) => (await node.as(undefined).get('sys/leader')).body as object;
  expect(await leader(active)).toMatchObject({ is_self: true, performance_standby: false });
  expect(await leader(standby)).toMatchObject({
    ha_enabled: true,
    is_self: false,
    performance_standby: true,
    leader_address: active.address,
  });
  expect((await other.get('sys/ha-status')).body.data.nodes).toMatchObject([
    { hostname: 'default-1', api_address: active.address, active_node: true, last_heartbeat: null },
    { hostname: 'default-2', api_address: standby.address, active_node: false },
    { hostname: 'default-3', api_address: other.address, active_node: false },
  ]);
  expect((await standby.get('sys/seal-status')).body).toMatchObject({ sealed: false, storage_type: 'raft' });
});

test('a standby serves reads, and forwards writes', async () => {
  const [active, standby] = await start();
  expect((await standby.post('sys/mounts/kv', KV)).status).toBe(204);
  const written = await standby.post('kv/a', { v: '1' });
  expect([written.status, indexOf(written)]).toEqual([204, expect.any(String)]);
  expect((await active.get('kv/a')).body.data).toEqual({ v: '1' });
  expect((await standby.get('kv/a')).body.data).toEqual({ v: '1' });
  expect((await standby.as('wrong').get('kv/a')).status).toBe(403);
  expect((await standby.as('wrong').post('kv/a', {})).status).toBe(403);
});

test('a standby that cannot forward redirects requests for the active node', async () => {
  const [active, standby] = await start();
  await active.post('sys/mounts/kv', KV);
  await active.post('kv/a', { v: '1' });
  const { body: counted } = await active.post('auth/token/create', { num_uses: 5, policies: ['root'] });
  nodes().forwards = false;

  const asked: readonly [string, Promise<Answer>][] = [
    ['kv/a', standby.post('kv/a', { v: '2' })],
    ['kv/a?x=%20y', standby.delete('kv/a?x=%20y')],
    ['kv/a', standby.as(counted.auth.client_token as string).get('kv/a')],
    ['kv/a', standby.get('kv/a', headers({ 'X-Vault-Forward': 'active-node' }))],
    ['kv/a', standby.get('kv/a', headers({ 'X-Vault-Wrap-TTL': '60s' }))],
    ['sys/step-down', standby.put('sys/step-down')],
  ];
  for (const [path, answer] of asked) {
    const { status, text, headers: got } = await answer;
    expect([status, text, got.location]).toEqual([307, '', `${active.address}/v1/${path}`]);
  }
  for (const answer of [
    standby.get('kv/a'),
    standby.list('kv/'),
    standby.post('auth/token/lookup-self'),
    standby.post('sys/capabilities-self', { paths: ['kv/a'] }),
    standby.get('kv/a', headers({ 'X-Vault-Forward': 'some-node' })),
  ])
    expect((await answer).status).toBe(200);
  // The standby did not forward the write.
  expect((await active.get('kv/a')).body.data).toEqual({ v: '1' });

  nodes().forwards = true;
  expect((await standby.get('kv/a', headers({ 'X-Vault-Forward': 'active-node' }))).status).toBe(200);
});

test('requests for snapshots are always redirected', async () => {
  const [active, standby] = await start();
  const { status, headers: got } = await standby.get('sys/storage/raft/snapshot');
  expect([status, got.location]).toEqual([307, `${active.address}/v1/sys/storage/raft/snapshot`]);
  expect((await standby.post('sys/storage/raft/snapshot-force', 'x')).status).toBe(307);
  expect((await standby.list('sys/storage/raft/snapshot-auto/config')).status).toBe(404);
});

test('X-Vault-No-Request-Forwarding only affects standbys of the open-source edition', async () => {
  const plain = headers({ 'X-Vault-No-Request-Forwarding': 'true' });
  const [, enterprise] = await start();
  expect((await enterprise.post('sys/mounts/kv', KV, plain)).status).toBe(204);
  expect((await enterprise.get('kv/a', plain)).status).toBe(404);
  await emulator!.close();

  const [active, standby] = await start({ serverVersion: '1.21.0' });
  const refused = await standby.get('sys/mounts', plain);
  expect([refused.status, refused.headers.location]).toEqual([307, `${active.address}/v1/sys/mounts`]);
  expect((await active.get('sys/mounts', plain)).status).toBe(200);
  expect((await standby.get('sys/mounts')).status).toBe(200);
  nodes().forwards = false;
  expect((await standby.get('sys/mounts')).status).toBe(307);
  expect((await standby.get('sys/health')).status).toBe(429);
});

test('a standby that is behind refuses or forwards requests of clients that have seen later writes', async () => {
  const [active, standby] = await start();
  await active.post('sys/mounts/kv', KV);
  const before = indexOf(await active.post('kv/a', { v: '1' }));
  nodes().standbysBehind = true;
  const after = indexOf(await active.post('kv/a', { v: '2' }));
  expect(after).not.toBe(before);

  const read = (index: string, more: Readonly<Record<string, string>> = {}) =>
    standby.get('kv/a', headers({ 'X-Vault-Index': index, ...more }));
  expect((await read(before)).status).toBe(200);
  for (const index of [after, `${before}, ${after}`]) {
    expect(await read(index)).toMatchObject({
      status: 412,
      body: { errors: ['required index state not present'] },
    });
  }
  const forwarded = await read(after, { 'X-Vault-Inconsistent': 'forward-active-node' });
  expect([forwarded.status, forwarded.body.data]).toEqual([200, { v: '2' }]);
  expect((await active.get('kv/a', headers({ 'X-Vault-Index': after }))).status).toBe(200);
  expect((await read('nonsense')).status).toBe(400);
  nodes().standbysBehind = false;
  expect((await read(after)).status).toBe(200);
});

test('a standby stays behind for five seconds after a change of mode', async () => {
  const [active, standby] = await start({ unavailableMs: 0 });
  emulator!.clock.freeze();
  await standby.post('sys/replication/performance/primary/enable', {});
  expect((await active.get('sys/mounts')).status).toBe(200);
  expect((await standby.get('sys/mounts')).status).toBe(412);
  emulator!.clock.advance(4_999);
  expect((await standby.get('sys/mounts')).status).toBe(412);
  emulator!.clock.advance(1);
  expect((await standby.get('sys/mounts')).status).toBe(200);
});

test('the next node becomes the active one after a step-down', async () => {
  const all = await start({ unavailableMs: 0 });
  const active = async () =>
    (await Promise.all(all.map((node) => node.get('sys/health')))).map(({ status }) => status);
  expect(await active()).toEqual([200, 473, 473]);
  expect((await all[0].put('sys/step-down')).status).toBe(204);
  emulator!.clock.advance(5_000);
  expect(await active()).toEqual([473, 200, 473]);
  expect((await all[0].get('sys/leader')).body).toMatchObject({ leader_address: all[1].address });
  await all[2].put('sys/step-down');
  emulator!.clock.advance(5_000);
  await all[2].put('sys/step-down');
  emulator!.clock.advance(5_000);
  expect(await active()).toEqual([200, 473, 473]);
});

test('a sealed node does not seal the others, and a standby replaces a sealed active node', async () => {
  const [first, second, third] = await start({ unavailableMs: 0 });
  const unsealKey = emulator!.clusters.default.unsealKey;
  const health = async () =>
    Promise.all([first, second, third].map(async (node) => (await node.get('sys/health')).status));
  expect((await second.as('wrong').put('sys/seal')).status).toBe(403);
  expect((await second.put('sys/seal')).status).toBe(204);
  expect(await health()).toEqual([200, 503, 473]);
  expect((await second.get('sys/seal-status')).body.sealed).toBe(true);
  for (const path of ['sys/mounts', 'sys/leader', 'kv/a'])
    expect((await second.get(path)).body.errors).toEqual(['Vault is sealed']);

  expect((await first.put('sys/seal')).status).toBe(204);
  expect(await health()).toEqual([503, 503, 200]);
  expect((await third.get('sys/leader')).body).toMatchObject({
    is_self: true,
    leader_address: third.address,
  });

  expect((await second.put('sys/unseal', { key: Buffer.alloc(32).toString('base64') })).status).toBe(400);
  expect((await second.put('sys/unseal', { key: unsealKey })).body.sealed).toBe(false);
  expect(await health()).toEqual([503, 473, 200]);
  for (const node of [second, third]) await node.put('sys/seal');
  expect(await health()).toEqual([503, 503, 503]);
  expect((await second.put('sys/unseal', { key: unsealKey })).body.sealed).toBe(false);
  expect(await health()).toEqual([503, 200, 503]);
});

test('a node that is not sealed does not check unseal keys', async () => {
  const [active, standby] = await start();
  const key = Buffer.alloc(32).toString('base64');
  for (const node of [active, standby])
    expect(await node.put('sys/unseal', { key })).toMatchObject({ status: 200, body: { sealed: false } });
});

test('a standby of the open-source edition cannot be sealed', async () => {
  const [, standby] = await start({ serverVersion: '1.21.0' });
  expect(await standby.put('sys/seal')).toMatchObject({
    status: 500,
    body: { errors: ['vault cannot seal when in standby mode; please restart instead'] },
  });
});

test('every node is a peer of Raft storage, with a cluster address of its own', async () => {
  const [active, standby, other] = await start();
  const { status, body } = await standby.get('sys/storage/raft/configuration');
  expect(status).toBe(200);
  const { servers } = body.data.config as { servers: { address: string }[] };
  expect(servers).toMatchObject([
    { node_id: 'default-1', leader: true, voter: true, protocol_version: '3' },
    { node_id: 'default-2', leader: false, voter: true },
    { node_id: 'default-3', leader: false, voter: true },
  ]);
  const interfaces = [active, standby, other].map(({ address }) => new URL(address).host);
  expect(new Set([...interfaces, ...servers.map(({ address }) => address)]).size).toBe(6);
  const joined = await other.as(undefined).post('sys/storage/raft/join', { leader_api_addr: active.address });
  expect([joined.status, joined.body]).toEqual([200, { joined: true }]);
  expect((await active.as('wrong').get('sys/storage/raft/configuration')).status).toBe(403);
});

test('a write to a local mount moves the index for standbys, but not the position for secondaries', async () => {
  const [active, standby] = await start({ unavailableMs: 0 });
  const counted = async () => (await standby.get('sys/leader')).body as Record<string, number>;
  const before = (await counted()).performance_standby_last_remote_wal!;
  expect(before).toBeGreaterThan(0);
  await active.post('sys/mounts/here', { type: 'kv', local: true });
  await active.post('sys/replication/performance/primary/enable', {});
  const replicated = async () =>
    (await active.get('sys/replication/performance/status')).body.data as Record<string, number>;
  const [first, position] = [await counted(), await replicated()];
  await active.post('here/a', { v: '1' });
  await active.post('auth/token/create', {});
  const [second, next] = [await counted(), await replicated()];
  expect(first.performance_standby_last_remote_wal).toBeGreaterThan(before);
  expect(second.performance_standby_last_remote_wal).toBeGreaterThan(
    first.performance_standby_last_remote_wal!,
  );
  expect(second.raft_applied_index).toBe(second.raft_committed_index);
  expect(next.last_performance_wal).toBe(position.last_performance_wal);
  expect(next.last_wal).toBeGreaterThan(position.last_wal!);
  expect(next.last_wal).toBeGreaterThan(next.last_performance_wal!);
  expect((await active.get('sys/leader')).body).toMatchObject({
    last_wal: next.last_wal,
    performance_standby_last_remote_wal: 0,
  });
});

test('a crash affects all nodes', async () => {
  const [active, standby] = await start({ unavailableMs: 0 });
  await active.post('sys/mounts/kv', KV);
  nodes().standbysBehind = true;
  emulator!.replication.crash('default');
  emulator!.clock.advance(5_000);
  expect(nodes().standbysBehind).toBe(false);
  expect((await standby.post('kv/a', { v: '1' })).status).toBe(204);
  expect((await standby.get('kv/a')).status).toBe(200);
});

test('a cluster in the mode of a DR secondary only serves its status, at every node', async () => {
  const [active, standby] = await start();
  await active.post('/emulator/v1/replication/node', { kind: 'dr-secondary' });
  for (const node of [active, standby]) {
    const { status, body } = await node.get('sys/health');
    expect([status, body.replication_dr_mode]).toEqual([472, 'secondary']);
    expect((await node.get('sys/replication/dr/status')).body.data).toEqual({ mode: 'secondary' });
    expect(await node.post('sys/mounts/kv', KV)).toMatchObject({
      status: 400,
      body: { errors: ['path disabled in replication DR secondary mode'] },
    });
  }
});

test('the control API shows and changes the nodes', async () => {
  const [active, standby, other] = await start();
  const listed = [
    { address: active.address, active: true },
    { address: standby.address, active: false },
    { address: other.address, active: false },
  ];
  expect((await standby.get('/emulator/v1/nodes')).body).toEqual({
    nodes: listed,
    standbys_behind: false,
    forwarding: true,
  });
  expect(
    (await active.post('/emulator/v1/nodes', { forwarding: false, standbys_behind: true })).body,
  ).toEqual({ nodes: listed, standbys_behind: true, forwarding: false });
  expect((await standby.put('sys/mounts/kv', KV)).status).toBe(307);
  expect(await active.post('/emulator/v1/nodes', { forwarding: 'no' })).toMatchObject({
    status: 400,
    body: { errors: ['forwarding: not a boolean'] },
  });
});

test.each([
  [8200, [8200, 8201, 8202]],
  [0, [0, 0, 0]],
])('the ports of two standbys of a cluster at port %d follow it, unless it is 0', async (port, expected) => {
  const ports: number[] = [];
  const listener = { address: 'http://vault.test', dropConnections: () => {}, close: async () => {} };
  const running = await emulate({ clusters: { default: port }, standbys: 2 }, async (opening) => {
    ports.push(opening.port);
    return listener;
  });
  await running.close();
  expect(ports).toEqual(expected);
});

test.each([-1, 1.5, 10])('a cluster with %d standbys is refused', async (standbys) => {
  await expect(startEmulator({ standbys })).rejects.toThrow(
    `standbys: ${standbys} is not valid; allowed are 0 to 9`,
  );
});
