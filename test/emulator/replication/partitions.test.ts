import {
  calls,
  enablePrimary,
  expectStatus,
  issueToken,
  join,
  joinedPair,
  status,
  useSet,
} from './support/set';

const use = useSet();
const policy = { policy: 'path "a" {}' };

describe('a partition', () => {
  it('the status of both clusters shows the partition, and writes on one do not reach the other', async () => {
    const { us, eu, emulator } = use();
    const { secondary } = await joinedPair(use());
    const before = await status(us);
    emulator.replication.partition('us', 'eu');
    await us.put('sys/policies/acl/missed', policy);
    expect((await status(us)).secondaries[0]).toMatchObject({
      node_id: 'eu',
      connection_status: 'disconnected',
    });
    expect(await status(eu)).toMatchObject({
      mode: 'secondary',
      state: 'idle',
      connection_state: 'transient_failure',
      last_remote_wal: before.last_performance_wal,
      merkle_root: before.merkle_root,
      primaries: [{ connection_status: 'disconnected' }],
    });
    expect((await secondary.get('sys/policies/acl/missed')).status).toBe(404);
    expect((await secondary.get('sys/policies/acl/operator')).status).toBe(200);
  });

  it('the secondary refuses writes during a partition, except local ones', async () => {
    const { eu, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.partition('eu', 'us');
    const answer = await secondary.put('sys/policies/acl/p', policy);
    expect([answer.status, answer.body.errors]).toEqual([
      503,
      [
        `error forwarding the request to the primary: ${(await status(eu)).primary_cluster_addr} cannot be reached`,
      ],
    ]);
    await expectStatus(secondary.post('auth/token/create', { policies: ['default'] }), 200);
    await expectStatus(secondary.put('cubbyhole/a', { v: '1' }), 204);
    await expectStatus(secondary.post('sys/mounts/here', { type: 'kv', local: true }), 204);
  });

  it('missing writes arrive when the partition ends', async () => {
    const { us, eu, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.partition('us', 'eu');
    await us.put('sys/policies/acl/missed', policy);
    await us.delete('sys/policies/acl/operator');
    emulator.replication.heal();
    expect(await status(eu)).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
    expect((await status(eu)).merkle_root).toBe((await status(us)).merkle_root);
    expect((await status(us)).secondaries[0].connection_status).toBe('connected');
    expect((await secondary.get('sys/policies/acl/missed')).status).toBe(403);
  });

  it('other clusters stay connected', async () => {
    const { us, ap, emulator } = use();
    await joinedPair(use());
    await join(us, ap, 'ap');
    emulator.replication.partition('us', 'eu');
    expect(await status(ap)).toMatchObject({ connection_state: 'ready' });
    emulator.replication.partition('us', 'ap');
    emulator.replication.heal('us', 'ap');
    expect(await status(ap)).toMatchObject({ connection_state: 'ready' });
    expect((await status(us)).secondaries[0].connection_status).toBe('disconnected');
  });

  it('activation tokens cannot be unwrapped during a partition, and remain valid', async () => {
    const { us, eu, emulator } = use();
    await enablePrimary(us);
    const token = await issueToken(us, 'eu');
    emulator.replication.partition('us', 'eu');
    const answer = await eu.post(`${calls}/secondary/enable`, { token });
    const host = us.address.replace('http://', '');
    expect([answer.status, answer.body.errors]).toEqual([
      500,
      [
        `error unwrapping secondary token: Post "${us.address}/v1/sys/wrapping/unwrap": dial tcp ${host}: i/o timeout`,
      ],
    ]);
    expect(await status(eu)).toEqual({ mode: 'disabled' });
    emulator.replication.heal();
    await expectStatus(eu.post(`${calls}/secondary/enable`, { token }), 200);
  });

  it('a secondary that joins with an encrypted token deletes its data, and waits for the end of the partition', async () => {
    const { us, eu, emulator } = use();
    await enablePrimary(us);
    const key = (await eu.post(`${calls}/secondary/generate-public-key`)).body.data
      .secondary_public_key as string;
    const issued = await us.post(`${calls}/primary/secondary-token`, { id: 'eu', secondary_public_key: key });
    emulator.replication.partition('us', 'eu');
    await expectStatus(eu.post(`${calls}/secondary/enable`, { token: issued.body.data.token }), 200);
    expect(await status(eu)).toMatchObject({ state: 'merkle-diff', connection_state: 'connecting' });
    emulator.replication.heal();
    expect(await status(eu)).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
  });

  it('the heartbeats stop during a partition', async () => {
    const { us, emulator } = use();
    emulator.clock.freeze();
    await joinedPair(use());
    const beat = async () => Date.parse((await status(us)).secondaries[0].last_heartbeat as string);
    const first = await beat();
    emulator.clock.advance(60_000);
    expect((await beat()) - first).toBe(60_000);
    emulator.replication.partition('us', 'eu');
    emulator.clock.advance(60_000);
    expect((await beat()) - first).toBe(60_000);
  });
});

describe('delayed data', () => {
  it('the positions show the delay until the data arrives', async () => {
    const { us, eu, emulator } = use();
    const { secondary } = await joinedPair(use());
    const before = (await status(us)).last_performance_wal as number;
    emulator.replication.pause('eu');
    await us.put('sys/policies/acl/late', policy);
    expect(await status(us)).toMatchObject({
      last_performance_wal: before + 1,
      secondaries: [{ connection_status: 'connected' }],
    });
    expect(await status(eu)).toMatchObject({
      state: 'stream-wals',
      connection_state: 'ready',
      last_remote_wal: before,
    });
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(404);
    emulator.replication.resume('eu');
    expect(await status(eu)).toMatchObject({ last_remote_wal: before + 1 });
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(200);
  });

  it(`data arrives after the delay on the emulator's clock`, async () => {
    const { us, emulator } = use();
    emulator.clock.freeze();
    const { secondary } = await joinedPair(use());
    emulator.replication.delay('eu', 5_000);
    await us.put('sys/policies/acl/late', policy);
    emulator.clock.advance(4_999);
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(404);
    emulator.clock.advance(1);
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(200);
  });

  it('each state of a sync is visible in the status', async () => {
    const { us, eu, emulator } = use();
    emulator.clock.freeze();
    await enablePrimary(us);
    emulator.replication.delay('eu', 1_000);
    await join(us, eu, 'eu');
    expect(await status(eu)).toMatchObject({
      state: 'merkle-diff',
      connection_state: 'ready',
      last_remote_wal: 0,
    });
    expect((await eu.get('sys/mounts')).status).toBe(503);
    emulator.clock.advance(1_000);
    const syncing = await status(eu);
    expect(syncing).toMatchObject({ state: 'merkle-sync', merkle_sync_progress: { sync_progress: 0 } });
    expect(syncing.merkle_sync_progress.sync_total_keys).toBeGreaterThan(0);
    emulator.clock.advance(2_000);
    expect(await status(eu)).toMatchObject({ state: 'stream-wals' });
    expect(await status(eu)).not.toHaveProperty('merkle_sync_progress');
  });

  it('writes that are made during a sync arrive after it', async () => {
    const { us, eu, emulator } = use();
    emulator.clock.freeze();
    await enablePrimary(us);
    emulator.replication.delay('eu', 1_000);
    await join(us, eu, 'eu');
    for (const name of ['a', 'b', 'c']) {
      await us.put(`sys/policies/acl/${name}`, policy);
      emulator.clock.advance(1_000);
    }
    emulator.clock.advance(1_000);
    expect((await status(eu)).merkle_root).toBe((await status(us)).merkle_root);
    expect((await status(eu)).last_remote_wal).toBe((await status(us)).last_performance_wal);
  });

  it('a write on a secondary waits, and then warns that its effect is delayed', async () => {
    const { us, emulator } = use();
    emulator.clock.freeze();
    const { secondary } = await joinedPair(use());
    emulator.replication.pause('eu');
    const late = await expectStatus(secondary.put('sys/policies/acl/late', policy), 200);
    expect(late.body.warnings).toEqual([
      'The primary has made the change, but it has not arrived at this secondary yet: reads here may not show it.',
    ]);
    expect((await us.get('sys/policies/acl/late')).status).toBe(200);
    emulator.replication.delay('eu', 1_500);
    const pending = secondary.put('sys/policies/acl/soon', policy);
    while ((await us.get('sys/policies/acl/soon')).status !== 200);
    emulator.clock.advance(1_500);
    await expectStatus(pending, 204);
    expect((await secondary.get('sys/policies/acl/soon')).status).toBe(200);
  });
});
