/** Five members on servers that answer in ways that the emulator does not. */
import { withStatus } from './support/answers';
import { startClusters, type TestClusters } from './support/clusters';
import { Session } from './support/session';

const CALLS = 'sys/replication/performance';
const NAMES = ['us', 'eu', 'ap', 'sa', 'af'];
const timeouts = { mode_change: '20s', sync: '30s', takeover: '5s' };

/** The configuration of the set with a primary, and with texts that confirm the loss of data. */
function under(primary: string, confirmed: (name: string) => string = (name) => name) {
  const others = NAMES.filter((name) => name !== primary);
  const secondaries = others.map((name) => [name, { confirm_data_loss: confirmed(name) }] as const);
  return { primary, secondaries: Object.fromEntries(secondaries), timeouts };
}

let clusters: TestClusters;
beforeEach(async () => {
  clusters = await startClusters(NAMES);
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  await clusters.write('us', 'kv/first');
});
afterEach(() => clusters.emulator.close());

/** The lines of an error that say what to do. */
function cures(error: string): readonly string[] {
  return error.match(/^To do: .*$/gm) ?? [];
}

test('a filter that cannot be read after a promotion is an error with one cure, which lists the promotion among the changes', async () => {
  const session = new Session(clusters);
  expect(await session.apply(under('us'))).toMatchObject({ errors: [] });
  const after = async ({ path }: { readonly path: string }) => {
    if (!path.endsWith('/primary/demote')) return;
    const filter = `${CALLS}/primary/paths-filter/ap`;
    clusters.emulator.faults.inject({ path: filter, status: 403, errors: ['permission denied'] });
  };
  const { errors } = await session.apply(under('eu'), { watcher: { after } });
  expect(errors).toHaveLength(1);
  expect(cures(errors[0]!)).toEqual([
    'To do: check the settings of cluster "eu": those in clusters of the provider\'s configuration, then the variables ' +
      'VAULTADMIN_EU_*, then VAULT_* if it is the only cluster. Then apply again, which continues from here.',
  ]);
  expect(errors[0]!.split('Changed so far:\n')[1]!.split('\nClusters now:')[0]!.split('\n')).toEqual([
    expect.stringContaining('  - us: wait until eu has all its writes'),
    expect.stringContaining('  - eu: become the primary, once it has all writes of us'),
  ]);
  clusters.emulator.faults.clear();
  expect(await session.apply(under('eu'))).toMatchObject({ errors: [] });
});

test('the advice of the error leads to the new primary if the merkle root of a primary changes when it steps down', async () => {
  const changing = withStatus(clusters, (data) => {
    const steppedDown = data.mode === 'secondary' && data.secondary_id === '';
    if (steppedDown) data.merkle_root = `0${String(data.merkle_root).slice(1)}`.replace(/.$/, 'x');
  });
  const session = new Session(changing);
  expect(await session.apply(under('us'))).toMatchObject({ errors: [] });
  const { errors } = await session.apply(under('eu'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again');
  expect(cures(errors[0]!)).toEqual([
    expect.stringContaining(
      'If that fails although nothing is written, use force while the writers pause: set force_promotion to "eu", and ' +
        'confirm the loss for "us" with confirm_data_loss (the merkle_root of "us" may change',
    ),
  ]);
  const forced = { ...under('eu'), force_promotion: 'eu' };
  expect(await session.apply(forced)).toMatchObject({ errors: [] });
  expect(await session.apply(under('eu'))).toMatchObject({ errors: [], steps: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
  for (const name of NAMES) expect(await clusters.lacks(name, ['kv/first'])).toEqual([]);
});

test('a switchover succeeds although positions grow while the data stays the same', async () => {
  let grown = 0;
  const growing = withStatus(clusters, (data) => {
    if (data.mode !== 'primary') return;
    grown += 1;
    data.last_performance_wal = Number(data.last_performance_wal) + grown;
  });
  const session = new Session(growing);
  expect(await session.apply(under('us'))).toMatchObject({ errors: [] });
  expect(await session.apply(under('eu'))).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
});

test('a secondary whose status reports an idle connection counts as connected, and without one its data has not arrived', async () => {
  const resting = withStatus(clusters, (data) => {
    if (data.connection_state === 'ready') data.connection_state = 'idle';
  });
  expect(await new Session(resting).apply(under('us'))).toMatchObject({ errors: [] });

  const broken = withStatus(clusters, (data, origin) => {
    if (data.connection_state !== 'ready' || !origin.includes('af.')) return;
    const primaries = data.primaries as readonly object[];
    data.connection_state = 'idle';
    data.primaries = primaries.map((each) => ({ ...each, connection_status: 'disconnected' }));
  });
  const { errors } = await new Session(broken).apply(under('us'));
  expect(errors).toEqual([expect.stringContaining('"af" does not follow its primary')]);
});

test('an abandoned primary that comes back and steps down during a failover does not leave', async () => {
  const session = new Session(clusters);
  expect(await session.apply(under('us'))).toMatchObject({ errors: [] });
  const { faults, replication } = clusters.emulator;
  faults.inject({ cluster: 'us', drop: 'before' });
  for (const name of NAMES.slice(1)) replication.partition('us', name);
  const all = Object.entries(under('eu', (name) => `${name} again`).secondaries);
  const secondaries = Object.fromEntries(all.filter(([name]) => name !== 'us'));
  const lost = { primary: 'eu', secondaries, timeouts, abandoned_clusters: ['us'] };
  const { killed } = await session.apply(
    { ...lost, force_promotion: 'eu' },
    { interrupt: ({ path }) => (path.endsWith('/update-primary') ? 'killed before' : undefined) },
  );
  expect(killed).toBe(true);
  faults.clear();
  expect((await clusters.ask('us', 'POST', `${CALLS}/primary/demote`)).status).toBe(200);
  replication.heal();

  const { steps, errors } = await session.apply(lost);
  expect(errors).toEqual([]);
  expect(steps!.filter((step) => !/^(ap|sa|af): follow eu /.test(step))).toEqual([]);
  expect(await session.apply(under('eu', (name) => `${name} later`))).toMatchObject({
    errors: [],
    steps: ['us: follow eu as its secondary "us", unfiltered (keeps its data)'],
  });
});

test('no cluster is erased if an address leads to the old primary and its user follows the advice of the error', async () => {
  const balancer = (name: string) => `https://${name}.balancer.example.com:8201`;
  for (const name of ['us', 'eu']) clusters.emulator.replication.addLoadBalancer(name, balancer(name));
  const session = new Session(clusters);
  const through = (primary: string, name: string) => ({
    ...under(primary),
    primary_cluster_addr: balancer(name),
  });
  expect(await session.apply(through('us', 'us'))).toMatchObject({ errors: [] });
  const { errors } = await session.apply(through('eu', 'us'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(
    'check that this address leads to "eu". If not, set primary_cluster_addr to the address of "eu", and apply again: "us" is ' +
      'then given that address.',
  );
  expect(errors[0]).not.toContain('disable replication');
  expect(await session.apply(through('eu', 'eu'))).toMatchObject({ errors: [] });
  for (const name of NAMES) expect(await clusters.lacks(name, ['kv/first'])).toEqual([]);
});

test('a member that refuses its token does not prevent the others from following the new primary', async () => {
  const session = new Session(clusters);
  expect(await session.apply(under('us'))).toMatchObject({ errors: [] });
  const path = `${CALLS}/secondary/update-primary`;
  clusters.emulator.faults.inject({ cluster: 'ap', path, status: 400, errors: ['not now'] });
  const { errors, steps } = await session.apply(under('eu'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(
    'cannot change the primary of performance replication set "eu" on cluster "ap"',
  );
  expect(errors[0]!.split('Changed so far:\n')[1]!.split('\nClusters now:')[0]!.split('\n')).toEqual([
    ...steps!.slice(0, 3).map((step) => `  - ${step}`),
    `  - BEGUN, not completed: ${steps![3]}. So far: eu is prepared, ap is unchanged`,
    ...steps!.slice(4).map((step) => `  - ${step}`),
  ]);
  for (const name of ['us', 'sa', 'af']) {
    expect(await clusters.status(name)).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
  }
  expect(await clusters.status('eu')).toMatchObject({
    mode: 'primary',
    known_secondaries: ['us', 'sa', 'af'],
  });

  clusters.emulator.faults.clear();
  const after = await session.apply(under('eu'));
  expect([after.errors, after.steps]).toEqual([
    [],
    ['ap: follow eu as its secondary "ap", unfiltered (keeps its data)'],
  ]);
});
