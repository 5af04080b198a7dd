/** The effects of each alternative that differs from the default, as a client sees them. */
import type { Assume } from '../../../src/emulator';
import { Api } from '../support/api';
import {
  addOperator,
  asOperator,
  calls,
  enablePrimary,
  expectStatus,
  issueToken,
  join,
  startSet,
  status,
  type TestSet,
} from './support/set';

let set: TestSet | undefined;
afterEach(() => set?.emulator.close());

async function start(assume: Assume, options: { serverVersion?: string } = {}): Promise<TestSet> {
  set = await startSet({ assume, ...options });
  await addOperator(set.us);
  await expectStatus(set.us.post('sys/mounts/kv', { type: 'kv' }), 204);
  await expectStatus(set.us.post('kv/it', { value: 'it' }), 204);
  await enablePrimary(set.us);
  return set;
}

async function startPair(assume: Assume, options: { serverVersion?: string } = {}): Promise<TestSet> {
  const { us, eu } = await start(assume, options);
  await join(us, eu, 'eu');
  return set!;
}

test('lastRemoteWal=zero: last_remote_wal is 0 until the first write', async () => {
  const { us, eu } = await startPair({ lastRemoteWal: 'zero' });
  const before = await status(us);
  expect(before.last_performance_wal).toBeGreaterThan(0);
  expect(await status(eu)).toMatchObject({
    state: 'stream-wals',
    last_remote_wal: 0,
    merkle_root: before.merkle_root,
  });
  await us.post('kv/it', { value: 'more' });
  await us.get('kv/it');
  expect((await status(eu)).last_remote_wal).toBe(before.last_performance_wal + 1);
});

test('filteredRoots=own: a filtered secondary has another root, also if nothing is withheld', async () => {
  const { us, eu, ap } = await start({ filteredRoots: 'own' });
  await us.post(`${calls}/primary/paths-filter/eu`, { mode: 'deny', paths: ['kv/'] });
  await us.post(`${calls}/primary/paths-filter/ap`, { mode: 'deny', paths: [] });
  await join(us, eu, 'eu');
  await join(us, ap, 'ap');
  const roots = [
    (await status(us)).merkle_root,
    (await status(eu)).merkle_root,
    (await status(ap)).merkle_root,
  ];
  expect(new Set(roots).size).toBe(3);
  await us.delete(`${calls}/primary/paths-filter/eu`);
  await us.get('kv/it');
  expect((await status(eu)).merkle_root).toBe((await status(us)).merkle_root);
});

test('secondaryIdAfterDemotion and addressesAfterDemotion: a demoted primary keeps both', async () => {
  const { us, eu } = await startPair({ secondaryIdAfterDemotion: 'kept', addressesAfterDemotion: 'kept' });
  const operator = await asOperator(eu);
  await us.post(`${calls}/primary/demote`);
  expect(await status(us)).toMatchObject({ mode: 'secondary', secondary_id: '', state: 'idle' });
  await expectStatus(operator.post(`${calls}/secondary/promote`), 200);
  await operator.post(`${calls}/primary/demote`);
  const { secondary_id, known_primary_cluster_addrs: addresses, state } = await status(eu);
  expect([secondary_id, state, addresses.length]).toEqual(['eu', 'idle', 1]);
});

test.each([
  ['idle', 'idle'],
  ['streaming', 'stream-wals'],
] as const)('disconnectedState=%s: the status has the state', async (disconnectedState, state) => {
  const { eu, emulator } = await startPair({ disconnectedState });
  emulator.replication.partition('us', 'eu');
  expect(await status(eu)).toMatchObject({ state, connection_state: 'transient_failure' });
});

test.each([
  ['sealed', [200, 503, 503]],
  ['unsealed', [200, 473, 473]],
] as const)('standbysAfterJoin=%s: the health of standbys', async (standbysAfterJoin, expected) => {
  set = await startSet({ assume: { standbysAfterJoin }, standbys: 2 });
  const { us, eu, emulator } = set;
  await enablePrimary(us);
  await join(us, eu, 'eu');
  const nodes = emulator.clusters.eu!.nodes.all.map(({ address }) => new Api(address));
  const health = () => Promise.all(nodes.map(async (node) => (await node.get('sys/health')).status));
  expect(await health()).toEqual(expected);
  expect((await status(eu)).known_primary_cluster_addrs).toHaveLength(3);
  const { unsealKey: key } = emulator.clusters.us!;
  for (const node of nodes) await expectStatus(node.put('sys/unseal', { key }), 200);
  expect(await health()).toEqual([200, 473, 473]);
});

test.each(['disabled', 'primary'] as const)(
  'healthOfDrSecondary=%s: the health of a DR secondary has this mode',
  async (healthOfDrSecondary) => {
    const { us, emulator } = await start({ healthOfDrSecondary });
    emulator.replication.answerBy('us', 'dr-secondary');
    const { status: code, body } = await us.get('sys/health');
    expect([code, body.replication_performance_mode]).toEqual([472, healthOfDrSecondary]);
    expect((await status(us)).mode).toBe('disabled');
  },
);

test('primaryEnabledAgain: a second enable is refused, or changes the address for secondaries', async () => {
  const { us, eu, emulator } = await startPair({});
  const primary_cluster_addr = 'https://lb.example.com:8201';
  const again = () => us.post(`${calls}/primary/enable`, { primary_cluster_addr });
  const before = await status(us);
  expect((await again()).status).toBe(400);
  expect((await status(us)).primary_cluster_addr).toBe('');
  emulator.assumed.choose({ primaryEnabledAgain: 'updated' });
  await expectStatus(again(), 200);
  expect(await status(us)).toMatchObject({
    mode: 'primary',
    cluster_id: before.cluster_id,
    primary_cluster_addr,
    known_secondaries: ['eu'],
  });
  expect(await status(eu)).toMatchObject({ connection_state: 'ready' });
});

test.each([
  ['kept', 200],
  ['revoked', 403],
] as const)('tokensAfterUpdatePrimary=%s: an old token', async (tokensAfterUpdatePrimary, expected) => {
  const { us, eu } = await startPair({ tokensAfterUpdatePrimary });
  const operator = await asOperator(eu);
  await us.post(`${calls}/primary/demote`);
  await expectStatus(operator.post(`${calls}/secondary/promote`), 200);
  await expectStatus(us.get('auth/token/lookup-self'), 200);
  const token = await issueToken(operator, 'us');
  await expectStatus(us.post(`${calls}/secondary/update-primary`, { token }), 200);
  expect((await us.get('auth/token/lookup-self')).status).toBe(expected);
  expect(await status(us)).toMatchObject({ state: 'stream-wals', secondary_id: 'us' });
});

test.each([
  ['kept', 200],
  ['dropped', 404],
] as const)('filterAfterNewToken=%s: the filter of the id', async (filterAfterNewToken, expected) => {
  const { us } = await start({ filterAfterNewToken });
  const filter = `${calls}/primary/paths-filter/eu`;
  await expectStatus(us.post(filter, { mode: 'deny', paths: ['kv/'] }), 204);
  await issueToken(us, 'eu');
  expect((await us.get(filter)).status).toBe(expected);
});

test('a load balancer can also have the API address of a cluster', async () => {
  const { us, eu, emulator } = await start({});
  emulator.replication.addLoadBalancer('us', 'http://api.example.com:8200');
  const token = await issueToken(us, 'eu');
  const contact = { primary_api_addr: 'http://api.example.com:8200' };
  await expectStatus(eu.post(`${calls}/secondary/enable`, { token, ...contact }), 200);
  expect(await status(eu)).toMatchObject({ connection_state: 'ready' });
});

test('revocationOfUnknownId=refused: an unknown id is a 400', async () => {
  const { us } = await start({ revocationOfUnknownId: 'refused' });
  const { status: code, body } = await us.post(`${calls}/primary/revoke-secondary`, { id: 'nobody' });
  expect([code, body.errors]).toEqual([400, ['unknown secondary']]);
});

test('removalOfMissingFilter=refused: a second delete is a 404', async () => {
  const { us } = await start({ removalOfMissingFilter: 'refused' });
  const filter = `${calls}/primary/paths-filter/eu`;
  await us.post(filter, { mode: 'deny', paths: ['kv/'] });
  await expectStatus(us.delete(filter), 204);
  const { status: code, body } = await us.delete(filter);
  expect([code, body.errors]).toEqual([404, ['no paths filter']]);
});

test('clusterIdAfterJoin=renewed: the cluster gets another id when it joins', async () => {
  const { us, eu } = await start({ clusterIdAfterJoin: 'renewed' });
  const before = (await eu.get('sys/health')).body;
  await join(us, eu, 'eu');
  const { cluster_id: id } = (await eu.get('sys/health')).body;
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(id).not.toBe(before.cluster_id);
});

test('tokensAfterDemotion=revoked: tokens end with the demotion', async () => {
  const { us } = await start({ tokensAfterDemotion: 'revoked' });
  // The operator logs in before the demotion, because the first login of a user is a write.
  const operator = await asOperator(us);
  await us.post(`${calls}/primary/demote`);
  expect([(await us.get('kv/it')).status, (await operator.get('kv/it')).status]).toEqual([403, 403]);
  expect((await (await asOperator(us)).get('kv/it')).body.data).toEqual({ value: 'it' });
});

test.each([
  ['1.14.0+ent', undefined],
  ['1.13.4+ent', undefined],
  ['1.14.1+ent', { value: 'it' }],
  ['1.13.5+ent', { value: 'it' }],
])('updatePrimaryData=lost: the data on version %s is %j', async (serverVersion, data) => {
  const { us, ap, eu } = await start({ updatePrimaryData: 'lost' }, { serverVersion });
  await us.post(`${calls}/primary/paths-filter/ap`, { mode: 'allow', paths: ['kv/', 'auth/people/'] });
  await join(us, ap, 'ap');
  await join(us, eu, 'eu');
  const operator = await asOperator(ap);
  const root = (await status(us)).merkle_root;
  await us.post(`${calls}/primary/revoke-secondary`, { id: 'ap' });
  await operator.post(`${calls}/secondary/update-primary`, { token: await issueToken(us, 'ap') });
  expect((await operator.get('kv/it')).body.data).toEqual(data);
  expect((await status(ap)).merkle_root).toBe(root);
});

test('missingFilter=empty: a read answers 200 without fields', async () => {
  const { us } = await start({ missingFilter: 'empty' });
  expect(await us.get(`${calls}/primary/paths-filter/eu`)).toMatchObject({ status: 200, body: { data: {} } });
});

test('localEngineWithoutPrimary: a local secrets engine is mounted on a secondary without a primary, or refused', async () => {
  const { eu, us, emulator } = await startPair({});
  const operator = await asOperator(eu);
  const mount = (name: string, local = true) => operator.post(`sys/mounts/${name}`, { type: 'kv', local });
  const root = (await status(us)).merkle_root;
  expect((await mount('connected')).status).toBe(204);
  expect((await us.get('sys/mounts')).body.data).not.toHaveProperty('connected/');
  expect((await status(us)).merkle_root).toBe(root);
  await us.post(`${calls}/primary/disable`);
  expect((await mount('alone')).status).toBe(204);
  expect((await mount('replicated', false)).status).toBe(503);
  emulator.assumed.choose({ localEngineWithoutPrimary: 'refused' });
  expect((await mount('refused')).status).toBe(503);
  expect((await operator.delete('sys/mounts/alone')).status).toBe(204);
  const { data } = (await operator.get('sys/mounts')).body;
  expect(Object.keys(data as object)).toEqual(expect.arrayContaining(['connected/', 'kv/']));
  expect(data).not.toHaveProperty('alone/');
});

test('promotionChecks: the promotion is refused with another status, or not at all', async () => {
  const { eu, us, emulator } = await startPair({ promotionChecks: 'position-400' });
  const operator = await asOperator(eu);
  emulator.replication.pause('eu');
  await us.post('kv/it', { value: 'late' });
  expect((await operator.post(`${calls}/secondary/promote`)).status).toBe(400);
  emulator.assumed.choose({ promotionChecks: 'none' });
  expect((await operator.post(`${calls}/secondary/promote`)).status).toBe(200);
});

test('refusals have the status and the text of the alternative that is followed', async () => {
  const { us, emulator } = await start({});
  const refusalOf = async () => {
    const { status: code, body } = await us.post(`${calls}/secondary/promote`);
    return [code, ...body.errors];
  };
  expect(await refusalOf()).toEqual([
    400,
    'the replication mode of this cluster is "primary": the call requires "secondary"',
  ]);
  emulator.assumed.choose({ wrongReplicationMode: 'curt' });
  expect(await refusalOf()).toEqual([400, 'invalid request']);
  emulator.assumed.choose({ wrongReplicationMode: 'internal-error' });
  expect(await refusalOf()).toEqual([500, 'internal error']);
});

describe('the node that answers', () => {
  test('a performance standby is behind for a while after each change of mode', async () => {
    const { us, emulator } = await start({ nodeAtAddress: 'performance-standby' });
    expect((await us.get(`${calls}/status`)).status).toBe(412);
    emulator.clock.advance(5_000);
    expect(await status(us)).toMatchObject({ mode: 'primary' });
    const health = await us.get('sys/health');
    expect([health.status, health.body.performance_standby]).toEqual([473, true]);
    expect((await us.get('sys/health?performancestandbycode=200')).status).toBe(200);
  });

  test('a secondary of disaster recovery answers only status requests', async () => {
    const { us, emulator } = await start({});
    emulator.replication.answerBy('us', 'dr-secondary');
    expect(await status(us)).toEqual({ mode: 'disabled' });
    expect(await us.get('kv/it')).toMatchObject({
      status: 400,
      body: { errors: ['path disabled in replication DR secondary mode'] },
    });
    const health = await us.get('sys/health');
    expect([health.status, health.body.replication_dr_mode]).toEqual([472, 'secondary']);
    expect((await us.get('sys/replication/status')).body.data).toEqual({
      dr: { mode: 'secondary' },
      performance: { mode: 'disabled' },
    });
    emulator.replication.answerBy('us', undefined);
    expect(await status(us)).toMatchObject({ mode: 'primary' });
    expect(() => emulator.replication.answerBy('us', 'dead' as 'active')).toThrow(
      'node "dead" is unknown; allowed are active, performance-standby, dr-secondary',
    );
  });
});
