/** A cluster that joins, and reaches its primary only after its activation token has expired. */
import { useRealWorlds, type RealWorld } from './support/real-world';
import { configure } from './support/set-stack';

const SET = 'performance replication set';
const timeouts = { mode_change: '2s', sync: '2s' };
const set = {
  primary: 'us',
  secondaries: { eu: { confirm_data_loss: 'eu' }, ap: { confirm_data_loss: 'ap' } },
  timeouts,
};
const pair = { ...set, secondaries: { eu: set.secondaries.eu } };
const EMPTY_STORAGE =
  'give "eu" empty storage, initialize and unseal it, set up the login that Terraform uses, and plan again.';

const worlds = useRealWorlds();
let world: RealWorld;

/** Makes `eu` join and reach its primary too late. `ap` is new, and would join after `eu`. */
async function beLate(lateContact: 'refused' | 'accepted'): Promise<string> {
  world = await worlds.begin(['us', 'eu', 'ap', 'spare'], { assume: { lateContact } });
  world.knows(['us', 'eu', 'ap']);
  const { replication, clock } = world.clusters.emulator;
  replication.partition('us', 'eu');
  const { detail } = await world.refusal(pair, 'apply');
  clock.advance(400_000);
  replication.heal();
  clock.advance(10_000);
  return detail;
}

test('the plan and the errors say that a cluster needs empty storage if the primary refuses it, and the cluster then joins', async () => {
  const detail = await beLate('refused');
  expect(detail).toContain(
    'To do: within 5 minutes, make the cluster address of "us" (port 8201 by default) reachable',
  );
  expect(detail).toContain(`In that case, ${EMPTY_STORAGE}`);
  expect(detail.split('Changed so far:\n')[1]!.split('\nClusters now:\n')[0]).toBe(
    '  - us: become the primary of a new replication set (keeps its data)\n' +
      '  - BEGUN, not completed: eu: ERASE ALL DATA of this cluster, then join us as its secondary "eu", unfiltered. ' +
      'So far: eu is erased and a secondary, but has not received everything from us yet',
  );

  configure(world.stack, pair);
  const { warnings, errors } = await world.stack.run('apply');
  expect(warnings).toContainEqual(
    expect.objectContaining({
      summary: `${SET}: "eu" has an activation token of "us", but has never connected to it`,
      detail: expect.stringContaining(`If Terraform cannot log in to "eu", ${EMPTY_STORAGE}`),
    }),
  );
  expect(errors).toHaveLength(1);
  expect(errors[0]!.detail).toContain('Cannot log in at auth/operators/login');
  expect(errors[0]!.detail).toContain(
    `To do: if "eu" joined as a new member, and has not reached "us" since, ${EMPTY_STORAGE.replace(/\.$/, '')}. Otherwise fix the cause`,
  );

  const unconfirmed = await world.refusal({ ...pair, secondaries: { eu: {} } });
  expect(unconfirmed.detail).toContain('It has an activation token of "us", but has never connected to it.');
  expect(unconfirmed.detail).toContain(
    `joined as a new member, and nobody can log in to it: ${EMPTY_STORAGE}`,
  );

  // Another server runs at the address of eu, as after an initialization with empty storage.
  world.knows(['us', 'eu', 'ap'], { eu: world.clusters.emulator.clusters.spare!.address });
  await world.apply(pair);
  expect(await world.steps(pair)).toBeUndefined();
  expect(await world.clusters.status('spare')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});

test('the cluster follows by itself if the primary accepts it, and the next plan has no steps', async () => {
  await beLate('accepted');
  await world.apply(pair);
  expect(await world.steps(pair)).toBeUndefined();
  expect(await world.clusters.status('eu')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});

test('a join that is refused is reported as refused: no data was erased, and no token is left', async () => {
  world = await worlds.begin(['us', 'eu']);
  const path = 'sys/replication/performance/secondary/enable';
  world.clusters.emulator.faults.inject({ cluster: 'eu', path, status: 400, errors: ['not now'] });
  const { detail } = await world.refusal(pair, 'apply');
  expect(detail).toContain(
    'join us as its secondary "eu", unfiltered. So far: us is prepared, eu is unchanged\n',
  );
  expect(await world.clusters.status('eu')).toMatchObject({ mode: 'disabled' });
  expect(await world.clusters.status('us')).toMatchObject({ known_secondaries: [] });
  world.clusters.emulator.faults.clear();
  await world.apply(pair);
});

test('a join whose answer is lost is reported as begun until the data has arrived', async () => {
  world = await worlds.begin(['us', 'eu', 'ap']);
  const { faults } = world.clusters.emulator;
  const path = 'sys/replication/performance/secondary/enable';
  faults.inject({ cluster: 'ap', path, drop: 'after' });
  faults.inject({ cluster: 'eu', path, status: 400, errors: ['not now'] });
  const { detail } = await world.refusal(set, 'apply');
  expect(detail.split('Changed so far:\n')[1]!.split('\nClusters now:\n')[0]!.split('\n').slice(1)).toEqual([
    '  - BEGUN, not completed: ap: ERASE ALL DATA of this cluster, then join us as its secondary "ap", unfiltered. ' +
      'So far: ap is erased and a secondary, but may not have received everything from us yet',
    '  - BEGUN, not completed: eu: ERASE ALL DATA of this cluster, then join us as its secondary "eu", unfiltered. ' +
      'So far: us is prepared, eu is unchanged',
  ]);
  faults.clear();
  await world.apply(set);
  expect(await world.steps(set)).toBeUndefined();
});

test('the advice of the error leads to a set if the address does not lead to the primary', async () => {
  world = await worlds.begin(['us', 'eu', 'spare']);
  world.knows(['us', 'eu']);
  const wrong = { ...pair, primary_cluster_addr: 'https://nowhere.example.com:8201' };
  const { detail } = await world.refusal(wrong, 'apply');
  expect(detail).toContain(
    '"eu" contacts "us" at its primary_cluster_addr, "https://nowhere.example.com:8201"',
  );
  expect(detail).toContain('if it has no other secondaries, disable replication on it first');

  // If `eu` had only got empty storage, its next token would contain the same wrong address.
  world.knows(['us', 'eu'], { eu: world.clusters.emulator.clusters.spare!.address });
  const corrected = { ...pair, primary_cluster_addr: 'https://us.example.com:8201' };
  const refused = await world.refusal(corrected);
  expect(refused.summary).toBe(
    `${SET}: "eu" would be erased, and then contact "us" at another address than primary_cluster_addr`,
  );
  expect(refused.detail).toContain(
    'In use: "https://nowhere.example.com:8201", at which no secondary is connected.',
  );
  await world.call('us', 'primary/disable');
  await world.apply(pair);
  expect(await world.steps(pair)).toBeUndefined();
});
