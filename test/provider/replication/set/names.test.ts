/**
 * Clusters under other names and ids, and secondaries that someone else has added. Each step is
 * made on the right cluster.
 */
import { useRealWorlds, type RealWorld } from './support/real-world';

const timeouts = { mode_change: '5s', sync: '5s' };
const SET = 'performance replication set: ';

const worlds = useRealWorlds();
let world: RealWorld;

const DONE = 'performance replication set "usa" will end: replication is disabled on its clusters';

test('exchanged ids, renamed clusters and a planned destroy take steps on the right clusters', async () => {
  world = await worlds.begin(['us', 'eu', 'ap']);
  const [eu, ap] = [{ confirm_data_loss: 'eu' }, { confirm_data_loss: 'ap' }];
  await world.apply({ primary: 'us', secondaries: { eu, ap }, timeouts });
  const exchanged = { eu: { ...eu, id: 'ap' }, ap: { ...ap, id: 'eu' } };
  expect(await world.steps({ primary: 'us', secondaries: exchanged, timeouts })).toEqual([
    'ap: follow us as its secondary "eu", unfiltered (keeps its data)',
    'eu: follow us as its secondary "ap", unfiltered (keeps its data)',
  ]);
  await world.apply({ primary: 'us', secondaries: exchanged, timeouts });
  expect(await world.steps({ primary: 'us', secondaries: exchanged, timeouts })).toBeUndefined();

  const addressOf = (name: string) => world.clusters.emulator.clusters[name]!.address;
  const addresses = { usa: addressOf('us'), europe: addressOf('eu') };
  world.knows(['us', 'usa', 'eu', 'europe', 'ap'], addresses);
  const renamed = {
    primary: 'usa',
    secondaries: { europe: {}, ap: exchanged.ap },
    deletion_protection: false,
    timeouts,
  };
  expect(await world.steps(renamed)).toEqual([]);
  world.knows(['usa', 'europe', 'ap'], addresses);
  expect(await world.steps(renamed)).toEqual([]);
  await world.apply(renamed);
  expect(await world.steps(renamed)).toBeUndefined();
  expect(await world.clusters.status('eu')).toMatchObject({ secondary_id: 'ap', state: 'stream-wals' });

  const { errors, warnings } = await world.stack.run('plan', '-destroy');
  expect(errors).toEqual([]);
  expect(warnings).toEqual([
    expect.objectContaining({
      summary: DONE,
      detail: expect.stringContaining(
        'Steps:\n  - ap: leave the replication set (keeps its data)\n' +
          '  - europe: leave the replication set (keeps its data)\n' +
          '  - usa: revoke secondary "eu", and remove its paths filter\n' +
          '  - usa: revoke secondary "ap", and remove its paths filter\n' +
          '  - usa: end the replication set (keeps its data)\nEach cluster keeps its data',
      ),
    }),
  ]);
});

test('a former primary takes the id of another member, which gets a new one', async () => {
  world = await worlds.begin(['ap', 'eu', 'us']);
  const [eu, us] = [{ confirm_data_loss: 'eu' }, { confirm_data_loss: 'us' }];
  await world.apply({ primary: 'ap', secondaries: { eu, us }, timeouts });
  const exchanged = { primary: 'us', secondaries: { ap: { id: 'eu' }, eu: { ...eu, id: 'ap' } }, timeouts };
  expect((await world.steps(exchanged))?.slice(2)).toEqual([
    'ap: follow us as its secondary "eu", unfiltered (keeps its data)',
    'eu: follow us as its secondary "ap", unfiltered (keeps its data)',
  ]);
  await world.apply(exchanged);
  expect(await world.steps(exchanged)).toBeUndefined();
  expect(await world.clusters.status('ap')).toMatchObject({ secondary_id: 'eu', state: 'stream-wals' });
  expect(await world.clusters.status('eu')).toMatchObject({ secondary_id: 'ap', state: 'stream-wals' });
});

test('new members take the ids of members that get others, or leave', async () => {
  world = await worlds.begin(['us', 'ap', 'eu', 'af']);
  const confirmed = (name: string, id: string) => ({ id, confirm_data_loss: name });
  await world.apply({ primary: 'us', secondaries: { eu: confirmed('eu', 'eu') }, timeouts });
  const moved = { ap: confirmed('ap', 'eu'), eu: confirmed('eu', 'ap') };
  await world.apply({ primary: 'us', secondaries: moved, timeouts });
  expect(await world.clusters.status('ap')).toMatchObject({ secondary_id: 'eu', state: 'stream-wals' });
  expect(await world.clusters.status('eu')).toMatchObject({ secondary_id: 'ap', state: 'stream-wals' });

  const replaced = { primary: 'us', secondaries: { af: confirmed('af', 'ap'), ap: moved.ap }, timeouts };
  expect(await world.steps(replaced)).toEqual([
    'eu: leave the replication set (keeps its data)',
    'af: ERASE ALL DATA of this cluster, then join us as its secondary "ap", unfiltered',
  ]);
  await world.apply(replaced);
  expect(await world.steps(replaced)).toBeUndefined();
  expect(await world.clusters.status('af')).toMatchObject({ secondary_id: 'ap', state: 'stream-wals' });
  expect((await world.clusters.status('eu')).mode).toBe('disabled');
});

test('a secondary with more writes than the one that was promoted by hand does not lose them without a report', async () => {
  world = await worlds.begin(['us', 'eu', 'ap']);
  const [eu, ap] = [{ confirm_data_loss: 'eu' }, { confirm_data_loss: 'ap' }];
  await world.clusters.mountStore('us', 'kv');
  await world.apply({ primary: 'us', secondaries: { eu, ap }, timeouts });
  world.clusters.emulator.replication.pause('eu');
  expect(await world.clusters.write('us', 'kv/late')).toBe(true);
  world.lose('us');
  await world.call('eu', 'secondary/promote', { force: true });
  const failedOver = { primary: 'eu', secondaries: { ap }, abandoned_clusters: ['us'], timeouts };
  const { summary, detail } = await world.refusal(failedOver);
  expect(summary).toBe(`${SET}"ap" may have writes that "eu" lacks, and would lose them by following it`);
  expect(detail).toContain(
    'It does not follow "eu", which became the primary outside of Terraform, by force',
  );
  expect(await world.clusters.lacks('ap', ['kv/late'])).toEqual([]);

  const confirmed = { ...failedOver, secondaries: { ap: { confirm_data_loss: 'ap 2025-06-30' } } };
  expect(await world.steps(confirmed)).toEqual([
    'ap: follow eu as its secondary "ap", unfiltered (keeps what eu has; LOSES writes that eu lacks)',
  ]);
  await world.apply(confirmed);
  expect(await world.steps(confirmed)).toBeUndefined();
});
