/**
 * Writes are lost only if a confirmation names the cluster, and only in the apply that it was given
 * for.
 */
import { useRealWorlds, type RealWorld } from './support/real-world';
import { configure } from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const timeouts = { mode_change: '5s', sync: '5s' };
const three = { primary: 'us', secondaries: { eu, ap }, timeouts };
const SET = 'performance replication set: ';

const worlds = useRealWorlds();
let world: RealWorld;

async function begin(): Promise<void> {
  world = await worlds.begin(['us', 'eu', 'ap']);
  await world.clusters.mountStore('us', 'kv');
}

test('a forced failover to a secondary that lags is refused, because a secondary with more writes would lose them', async () => {
  await begin();
  await world.apply(three);
  world.clusters.emulator.replication.pause('eu');
  expect(await world.clusters.write('us', 'kv/late')).toBe(true);
  world.lose('us');
  const failover = { force_promotion: 'eu', abandoned_clusters: ['us'], timeouts };
  const lagging = { primary: 'eu', ...failover, secondaries: { ap } };
  const { summary, detail } = await world.refusal(lagging);
  expect(summary).toBe(`${SET}"ap" has writes that "eu" lacks, and would lose them by following it`);
  expect(detail).toMatch(/number \d+ on "ap", number \d+ on "eu"/);
  expect(detail).toContain('set primary and force_promotion to "ap", which has the most data');
  expect(detail).toContain('was used up when the cluster joined or followed');

  world.clusters.emulator.replication.resume('eu');
  await world.apply({ primary: 'ap', ...failover, force_promotion: 'ap', secondaries: { eu } });
  expect(await world.clusters.lacks('eu', ['kv/late'])).toEqual([]);
});

test('a forced failover to a filtered secondary is refused, because the others would lose the data that it never received', async () => {
  await begin();
  const filtered = { ...eu, paths_filter: { mode: 'deny', paths: ['kv/'] } };
  expect(await world.clusters.write('us', 'kv/it')).toBe(true);
  await world.apply({ ...three, secondaries: { eu: filtered, ap } });
  world.lose('us');
  const lost = { primary: 'eu', force_promotion: 'eu', abandoned_clusters: ['us'], timeouts };
  const { summary, detail } = await world.refusal({ ...lost, secondaries: { ap } });
  expect(summary).toBe(`${SET}"ap" has data that "eu" never received, and would lose it by following "eu"`);
  expect(detail).toContain('set primary and force_promotion to "ap"');
  const confirmed = { ...lost, secondaries: { ap: { confirm_data_loss: 'ap 2025-06-30' } } };
  expect(await world.steps(confirmed)).toEqual([
    'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
    'ap: follow eu as its secondary "ap", unfiltered (keeps what eu has; LOSES writes that eu lacks)',
  ]);
});

test('the writes of the old primary after a failover by hand are not lost without a report', async () => {
  await begin();
  await world.apply(three);
  const { replication } = world.clusters.emulator;
  replication.partition('us', 'eu');
  replication.partition('us', 'ap');
  expect(await world.clusters.write('us', 'kv/unshipped')).toBe(true);
  await world.call('eu', 'secondary/promote', { force: true });
  await world.call('us', 'primary/demote');
  replication.heal();
  const lacks = '"us" may have writes that "eu" lacks, and would lose them by following it';
  expect((await world.refusal(three)).summary).toBe(SET + lacks);
  const swapped = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };
  expect((await world.refusal(swapped)).summary).toBe(SET + lacks);
  expect(await world.clusters.lacks('us', ['kv/unshipped'])).toEqual([]);

  const confirmed = { ...swapped, secondaries: { us: { confirm_data_loss: 'us' }, ap } };
  expect(await world.steps(confirmed)).toContain(
    'us: follow eu as its secondary "us", unfiltered (keeps what eu has; LOSES writes that eu lacks)',
  );
  await world.apply(confirmed);
  expect(await world.steps(confirmed)).toBeUndefined();
});

test('a confirmation that was used does not count again after a switchover', async () => {
  await begin();
  const pair = { primary: 'us', secondaries: { eu }, timeouts };
  await world.apply(pair);
  await world.apply({ primary: 'eu', secondaries: { us: {} }, timeouts });
  await world.call('eu', 'primary/disable');
  expect(await world.clusters.write('eu', 'kv/own')).toBe(true);
  const forced = { ...pair, force_promotion: 'us' };
  const { summary, detail } = await world.refusal(forced);
  expect(summary).toBe(`${SET}"eu" holds data, which would be erased if it joins the replication set`);
  expect(detail).toContain('confirm_data_loss = "eu 2025-12-31"');
  expect(await world.clusters.lacks('eu', ['kv/own'])).toEqual([]);
  await world.apply({ ...forced, secondaries: { eu: { confirm_data_loss: 'eu 2025-06-30' } } });
  expect(await world.clusters.lacks('eu', ['kv/own'])).toEqual(['kv/own']);
  expect(await world.steps({ ...pair, force_promotion: 'us' })).toEqual([]);
});

test.each([503, 429, 403])(
  'a takeover note whose read is answered with %i is reported as unread, and shows the loss once it can be read',
  async (status) => {
    await begin();
    await world.apply(three);
    await world.call('us', 'primary/demote');
    await world.call('eu', 'secondary/promote');
    expect(await world.clusters.write('eu', 'kv/later')).toBe(true);
    const { faults } = world.clusters.emulator;
    faults.inject({ cluster: 'eu', path: 'sys/policies/acl/vaultadmin-takeover', status });
    const swapped = { ...three, primary: 'eu', secondaries: { us: {}, ap } };
    configure(world.stack, swapped);
    const { errors } = await world.stack.run('plan');
    const us = errors.find(({ summary }) => summary.includes('"us"'))!;
    expect(us.summary).toBe(`${SET}could not determine whether "eu" has all writes of "us"`);
    expect(us.detail).toContain(
      'The ACL policy "vaultadmin-takeover" on "eu", which may show it, could not be read: ',
    );
    expect(us.detail).toContain('To do: plan again once "eu" serves it');
    faults.clear();
    expect((await world.stack.run('plan')).errors.map(({ summary }) => summary)).toContainEqual(
      `${SET}"us" may have writes that "eu" lacks, and would lose them by following it`,
    );
  },
);
