/**
 * Changes of a set's clusters by others: none of their writes is lost without a report, and no
 * cluster becomes a second primary.
 */
import { startClusters, type TestClusters } from './support/clusters';
import type { SeenRequest } from './support/interruption';
import { Session } from './support/session';

const CALLS = 'sys/replication/performance';
const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const timeouts = { mode_change: '20s', sync: '20s' };
const pair = { primary: 'us', secondaries: { eu }, timeouts };
const three = { primary: 'us', secondaries: { eu, ap }, timeouts };

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  session = new Session(clusters);
  expect(await session.apply(three)).toMatchObject({ errors: [] });
});
afterEach(() => clusters.emulator.close());

async function call(cluster: string, path: string, body?: object): Promise<void> {
  expect((await clusters.ask(cluster, 'POST', `${CALLS}/${path}`, body)).status).toBe(200);
}

/** Makes a secondary follow a primary, by hand. */
async function follow(cluster: string, primary: string): Promise<void> {
  const key = await clusters.ask(cluster, 'POST', `${CALLS}/secondary/generate-public-key`);
  const { data } = await clusters.ask(primary, 'POST', `${CALLS}/primary/secondary-token`, {
    id: cluster,
    secondary_public_key: key.data!.secondary_public_key,
  });
  await call(cluster, 'secondary/update-primary', { token: data!.token });
}

test('a former primary that lacks writes of another former primary does not take over', async () => {
  await call('us', 'primary/demote');
  await call('eu', 'secondary/promote');
  expect(await clusters.write('eu', 'kv/new')).toBe(true);
  await call('eu', 'primary/demote');

  const { steps, errors } = await session.apply(three);
  expect(steps![0]).toBe('us: become the primary, once it has all writes of eu (keeps its data)');
  expect(errors).toEqual([
    expect.stringContaining('"us" lacks writes that "eu" accepted before it stepped down'),
  ]);
  expect(await clusters.primaries()).toEqual([]);

  const { errors: none } = await session.apply({
    primary: 'us',
    secondaries: { eu, ap },
    force_promotion: 'us',
    timeouts,
  });
  expect(none).toEqual([
    expect.stringContaining('"eu" may have writes that "us" lacks, and would lose them by following it'),
  ]);
  expect(await clusters.lacks('eu', ['kv/new'])).toEqual([]);
});

test('a lost primary that comes back after force_promotion was removed follows only once the loss of its writes is confirmed', async () => {
  clusters.emulator.replication.partition('us', 'eu');
  clusters.emulator.replication.partition('us', 'ap');
  expect(await clusters.write('us', 'kv/unshipped')).toBe(true);
  clusters.emulator.faults.inject({ cluster: 'us', drop: 'before' });
  const taken = { primary: 'eu', secondaries: { ap }, timeouts };
  const forced = { ...taken, force_promotion: 'eu', abandoned_clusters: ['us'] };
  expect(await session.apply(forced)).toMatchObject({ errors: [] });
  expect(await session.apply(taken)).toMatchObject({ errors: [] });
  clusters.emulator.faults.clear();
  clusters.emulator.replication.heal();
  await call('us', 'primary/demote');

  const back = (us: object) => session.apply({ ...taken, secondaries: { ap, us } });
  expect((await back({})).errors).toEqual([
    expect.stringContaining('"us" may have writes that "eu" lacks, and would lose them by following it'),
  ]);
  expect(await clusters.lacks('us', ['kv/unshipped'])).toEqual([]);
  expect(await back({ confirm_data_loss: 'us' })).toMatchObject({ errors: [] });
});

test('no second primary is made after a switchover by hand to a cluster outside of the set', async () => {
  expect(await session.apply(pair)).toMatchObject({ errors: [] });
  await clusters.ask('us', 'POST', `${CALLS}/primary/revoke-secondary`, { id: 'ap' });
  const key = await clusters.ask('ap', 'POST', `${CALLS}/secondary/generate-public-key`);
  const { data } = await clusters.ask('us', 'POST', `${CALLS}/primary/secondary-token`, {
    id: 'ap',
    secondary_public_key: key.data!.secondary_public_key,
  });
  await call('ap', 'secondary/enable', { token: data!.token });
  await call('us', 'primary/demote');
  await call('ap', 'secondary/promote');
  for (const name of ['us', 'eu']) await follow(name, 'ap');

  const refusal = [expect.stringContaining('"us" follows a primary that is not in this set')];
  expect((await session.apply(pair)).errors).toEqual(refusal);
  const swapped = { primary: 'eu', secondaries: { us: {} }, timeouts };
  expect((await session.apply(swapped)).errors).toEqual(refusal);
  expect(await clusters.primaries()).toEqual(['ap']);
  const found = { primary: 'ap', secondaries: { us: {}, eu }, timeouts };
  expect(await session.apply(found)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['ap']);
});

test('a foreign cluster that joined with the id of a member is not disconnected', async () => {
  const open = { ...pair, deletion_protection: false };
  expect(await session.apply(open)).toMatchObject({ errors: [] });
  await call('eu', 'secondary/disable');
  await clusters.ask('us', 'POST', `${CALLS}/primary/revoke-secondary`, { id: 'eu' });
  const key = await clusters.ask('ap', 'POST', `${CALLS}/secondary/generate-public-key`);
  const { data } = await clusters.ask('us', 'POST', `${CALLS}/primary/secondary-token`, {
    id: 'eu',
    secondary_public_key: key.data!.secondary_public_key,
  });
  await call('ap', 'secondary/enable', { token: data!.token });

  const refusal = [expect.stringContaining('would lose their primary: "eu"')];
  expect((await session.apply({ ...open, secondaries: {} })).errors).toEqual(refusal);
  expect((await session.apply(null)).errors).toEqual(refusal);
  expect((await clusters.status('us')).known_secondaries).toEqual(['eu']);
});

test('an apply ends if another primary is promoted by hand while the successor is still catching up', async () => {
  const promote = { cluster: 'eu', path: `${CALLS}/secondary/promote` };
  clusters.emulator.faults.inject({
    ...promote,
    count: 1,
    status: 503,
    errors: ['replication is still catching up, try again later or provide the "force" argument'],
  });
  const byHand = async () => {
    if ((await clusters.primaries()).length === 0) await call('us', 'secondary/promote');
  };
  const { errors } = await session.apply(
    { primary: 'eu', secondaries: { us: {}, ap }, timeouts },
    { watcher: { after: ({ path }) => (path === promote.path ? byHand() : Promise.resolve()) } },
  );
  expect(errors).toEqual([expect.stringContaining('the clusters have changed since the plan was made')]);
  expect(await clusters.primaries()).toEqual(['us']);
});

test('two simultaneous switchovers by two states: one completes, and the other fails with the reason', async () => {
  const other = session.copy(clusters);
  let second: ReturnType<Session['apply']> | undefined;
  const begin = async ({ path }: SeenRequest) => {
    if (path.endsWith('/primary/demote')) {
      second = other.apply({ primary: 'ap', secondaries: { us: {}, eu }, timeouts });
    }
  };
  const first = await session.apply(
    { primary: 'eu', secondaries: { us: {}, ap }, timeouts },
    { watcher: { after: begin } },
  );
  expect(first.errors).toEqual([]);
  expect((await second!).errors).toEqual([expect.stringContaining('since the plan was made')]);
  expect(await clusters.primaries()).toEqual(['eu']);
});

test('the successor takes over by force if the primary is lost after it has stepped down', async () => {
  await call('us', 'primary/demote');
  const unknown = await session.apply({ primary: 'nobody' });
  expect(unknown.errors).toEqual([expect.stringContaining('cluster "nobody" is not configured')]);
  clusters.emulator.faults.inject({ cluster: 'us', drop: 'before' });
  const forced = { primary: 'eu', secondaries: { ap }, force_promotion: 'eu', abandoned_clusters: ['us'] };
  expect(await session.apply({ ...forced, timeouts })).toMatchObject({ errors: [] });
  clusters.emulator.faults.clear();
  expect(await clusters.primaries()).toEqual(['eu']);
});
