/** Faults that random walks have found, each with the shortest sequence of events. */
import { startClusters, type TestClusters } from '../support/clusters';
import type { Interrupt } from '../support/interruption';
import { startOverHttp } from '../support/over-http';
import { Session } from '../support/session';
import type { EmulatorOptions } from '../../../../../src/emulator';

const CALLS = 'sys/replication/performance';
const timeouts = { mode_change: '6s', sync: '6s' };
const pair = { primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu' } }, timeouts };
const forced = { primary: 'eu', force_promotion: 'eu', timeouts };
const LOSES =
  'us: follow eu as its secondary "us", unfiltered (keeps what eu has; LOSES writes that eu lacks)';

let clusters: TestClusters;
let session: Session;

/** Returns a promise, and the function that resolves it. */
function signal(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach!: () => void;
  return { reached: new Promise((resolve) => (reach = resolve)), reach };
}

async function begin(options: EmulatorOptions = {}): Promise<void> {
  clusters = await startClusters(['us', 'eu'], options);
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  session = new Session(clusters);
  const patient = { ...pair, timeouts: { mode_change: '60s', sync: '60s' } };
  expect(await session.apply(patient)).toMatchObject({ errors: [] });
}
afterEach(() => clusters.emulator.close());

test('an apply whose answer was lost, and that cannot read the clusters afterwards, does not claim that nothing was changed', async () => {
  clusters = await startClusters(['us', 'eu'], {});
  await clusters.addOperators();
  session = new Session(clusters);
  const path = `${CALLS}/primary/paths-filter/eu`;
  clusters.emulator.faults.inject({ cluster: 'us', path, status: 500 });
  const interrupt: Interrupt = (request) =>
    request.path.endsWith('primary/enable') ? 'dropped after' : undefined;
  const { errors } = await session.apply(pair, { interrupt });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('BEGUN, not completed: us: become the primary of a new replication set');
  expect(errors[0]).not.toContain('Nothing was changed');
});

test('a forced promotion completes on servers whose status has no merkle_root', async () => {
  await begin({ assume: { statusRoot: 'absent' } });
  const outcome = await session.apply({ ...forced, secondaries: { us: { confirm_data_loss: 'us' } } });
  expect(outcome.errors).toEqual([]);
  expect(await clusters.primaries()).toEqual(['eu']);
});

test('a cluster that could never follow its new primary still needs a confirmation of the loss of its writes', async () => {
  await begin();
  const { replication } = clusters.emulator;
  replication.partition('us', 'eu');
  expect(await clusters.write('us', 'kv/own')).toBe(true);
  const confirmed = { ...forced, secondaries: { us: { confirm_data_loss: 'us' } } };
  expect((await session.apply(confirmed)).errors).toEqual([expect.stringContaining('a step failed')]);
  expect(await clusters.status('us')).toMatchObject({ mode: 'secondary', state: 'merkle-diff' });

  replication.heal();
  expect((await session.plan(confirmed)).steps).toEqual([LOSES]);
  const { errors } = await session.apply({ primary: 'eu', secondaries: { us: {} }, timeouts });
  expect(errors).toEqual([
    expect.stringContaining('"us" may have writes that "eu" lacks, and would lose them by following it'),
  ]);
  expect(await clusters.lacks('us', ['kv/own'])).toEqual([]);
  expect(await session.apply(confirmed)).toMatchObject({ errors: [] });
  expect(await clusters.lacks('us', ['kv/own'])).toEqual(['kv/own']);
});

test('a cluster that someone else pointed to a new primary still needs a confirmation of the loss of its writes', async () => {
  await begin();
  // The first login of a user is a write on the primary.
  for (const name of clusters.names) await clusters.ask(name, 'GET', 'kv/own');
  clusters.emulator.replication.partition('us', 'eu');
  expect(await clusters.write('us', 'kv/own')).toBe(true);
  await clusters.ask('us', 'POST', `${CALLS}/primary/demote`);
  clusters.emulator.clock.advance(10_000);
  await clusters.ask('eu', 'POST', `${CALLS}/secondary/promote`, { force: true });
  clusters.emulator.clock.advance(10_000);
  const { data: key } = await clusters.ask('us', 'POST', `${CALLS}/secondary/generate-public-key`);
  const { data } = await clusters.ask('eu', 'POST', `${CALLS}/primary/secondary-token`, {
    id: 'us',
    secondary_public_key: key!.secondary_public_key,
  });
  await clusters.ask('us', 'POST', `${CALLS}/secondary/update-primary`, { token: data!.token });
  await clusters.ask('eu', 'POST', `${CALLS}/primary/revoke-secondary`, { id: 'us' });
  clusters.emulator.replication.heal();
  const { errors } = await session.plan({ primary: 'eu', secondaries: { us: {} }, timeouts });
  expect(errors).toEqual([
    expect.stringContaining('"us" may have writes that "eu" lacks, and would lose them by following it'),
  ]);
});

test('a cluster that has joined, but cannot reach its primary, follows as soon as it can', async () => {
  clusters = await startClusters(['us', 'eu']);
  await clusters.addOperators();
  session = new Session(clusters);
  const { replication } = clusters.emulator;
  replication.partition('us', 'eu');
  const { errors } = await session.apply(pair);
  expect(errors).toEqual([expect.stringContaining('did not receive everything from its primary')]);
  expect(await clusters.status('us')).toMatchObject({ known_secondaries: ['eu'] });

  replication.heal();
  clusters.emulator.clock.advance(10_000);
  expect(await session.apply(pair)).toMatchObject({ errors: [] });
  expect((await session.plan(pair)).steps).toBeNull();
  expect(await clusters.status('eu')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});

test('a cluster that has joined, and whose token expired before it reached its primary, joins again with empty storage', async () => {
  clusters = await startClusters(['us', 'eu', 'spare']);
  await clusters.addOperators();
  session = new Session(clusters);
  const { emulator } = clusters;
  emulator.replication.partition('us', 'eu');
  const { errors } = await session.apply(pair);
  expect(errors).toEqual([expect.stringContaining('did not receive everything from its primary')]);
  emulator.clock.advance(400_000);
  emulator.replication.heal();
  emulator.clock.advance(10_000);
  const stuck = await session.apply(pair);
  expect(stuck.errors).toEqual([expect.stringContaining('give "eu" empty storage')]);
  expect(stuck.errors[0]).toContain('Cannot log in at auth/operators/login');

  // Another server runs at the address of eu, as after an initialization with empty storage.
  const present = { ...emulator.clusters, eu: emulator.clusters.spare! };
  const replaced = { wire: clusters.wire, emulator: { clock: emulator.clock, clusters: present } };
  const after = session.copy(replaced as unknown as TestClusters);
  expect(await after.apply(pair)).toMatchObject({ errors: [] });
  expect(await clusters.status('us')).toMatchObject({ known_secondaries: ['eu'] });
  expect(await clusters.status('spare')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});

test('an apply that revokes the token by which another apply has made a cluster join advises empty storage for the cluster', async () => {
  clusters = await startClusters(['us', 'eu'], { unavailableMs: 300 }, startOverHttp);
  await clusters.addOperators();
  const wrapped = { ...pair, secondaries: { eu: { confirm_data_loss: 'eu', token_delivery: 'wrapped' } } };
  const [issues, joined] = [signal(), signal()];
  const second = new Session(clusters).apply(wrapped, {
    watcher: {
      before: async ({ path }) => {
        if (!path.endsWith('primary/secondary-token')) return;
        issues.reach();
        await joined.reached;
      },
    },
  });
  const first = new Session(clusters).apply(wrapped, {
    watcher: {
      before: async ({ path }) => {
        if (path.endsWith('secondary/enable')) await issues.reached;
      },
      after: async ({ path }) => {
        if (!path.endsWith('secondary/enable')) return;
        clusters.emulator.replication.partition('us', 'eu');
        joined.reach();
      },
    },
  });
  expect((await first).errors).toEqual([expect.stringContaining('give "eu" empty storage')]);
  const { errors } = await second;
  expect(errors).toEqual([expect.stringContaining('Cannot log in at auth/operators/login')]);
  expect(errors[0]!.match(/^To do: .*$/gm)).toEqual([
    'To do: if "eu" joined as a new member, and has not reached "us" since, give "eu" empty storage, initialize and unseal it, ' +
      'set up the login that Terraform uses, and plan again. Otherwise fix the cause and apply again, which continues from here.',
  ]);
});

test('the advice of the error repairs a set whose primary was enabled and demoted by hand', async () => {
  clusters = await startClusters(['us', 'eu']);
  await clusters.addOperators();
  session = new Session(clusters);
  for (const call of ['primary/enable', 'primary/demote']) {
    await clusters.ask('us', 'POST', `${CALLS}/${call}`);
    clusters.emulator.clock.advance(10_000);
  }
  const { errors } = await session.plan(pair);
  expect(errors).toEqual([expect.stringContaining('disable replication on "us"')]);
  await clusters.ask('us', 'POST', `${CALLS}/secondary/disable`);
  clusters.emulator.clock.advance(10_000);
  expect(await session.apply(pair)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['us']);
});

/** Switches over in a second state of the set, to a cluster that only this state has. */
async function switchedElsewhere(killedAt: string): Promise<void> {
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  session = new Session(clusters);
  expect(await session.apply(pair)).toMatchObject({ errors: [] });
  const other = session.copy();
  const more = { eu: { confirm_data_loss: 'eu' }, ap: { confirm_data_loss: 'ap' } };
  expect(await other.apply({ ...pair, secondaries: more })).toMatchObject({ errors: [] });
  const interrupt: Interrupt = ({ path }) => (path.endsWith(killedAt) ? 'killed after' : undefined);
  const switched = { primary: 'ap', secondaries: { us: {}, eu: more.eu }, timeouts };
  expect(await other.apply(switched, { interrupt })).toMatchObject({ killed: true });
  clusters.emulator.clock.advance(120_000);
}

test.each([
  ['promoted', 'secondary/promote', ['ap']],
  ['announced', 'primary/demote', []],
])(
  'a last primary is not promoted beside a cluster that only another state knows and has %s',
  async (_, killedAt, primaries) => {
    await switchedElsewhere(killedAt);
    for (const primary of ['us', 'eu']) {
      const secondaries = primary === 'us' ? pair.secondaries : { us: {} };
      const { errors } = await session.plan({ primary, secondaries, timeouts });
      expect(errors).toEqual([
        expect.stringContaining(
          `"${primary}" must not be promoted: the last primary stepped down for "ap", which is not in this set`,
        ),
      ]);
      expect(errors[0]).toContain(`set force_promotion to "${primary}"`);
    }
    expect(await clusters.primaries()).toEqual(primaries);
    // Both ways that the message names lead to a set.
    const forced = { ...pair, force_promotion: 'us' };
    expect(await session.plan(forced)).toMatchObject({
      errors: [],
      steps: [
        'us: become the primary, BY FORCE if necessary (writes that it never received are lost)',
        'eu: follow us as its secondary "eu", unfiltered (keeps what us has; LOSES writes that us lacks)',
      ],
    });
    const secondaries = { us: { confirm_data_loss: 'us' }, eu: { confirm_data_loss: 'eu again' } };
    expect(await session.apply({ primary: 'ap', secondaries, timeouts })).toMatchObject({ errors: [] });
    expect(await clusters.primaries()).toEqual(['ap']);
  },
);

test('an abandoned cluster that now has its own set does not prevent a switchover', async () => {
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  session = new Session(clusters);
  const all = { eu: { confirm_data_loss: 'eu' }, ap: { confirm_data_loss: 'ap' } };
  expect(await session.apply({ ...pair, secondaries: all })).toMatchObject({ errors: [] });
  const without = { ...pair, abandoned_clusters: ['ap'] };
  expect(await session.apply(without)).toMatchObject({ errors: [] });
  await clusters.ask('ap', 'POST', `${CALLS}/primary/enable`);
  clusters.emulator.clock.advance(10_000);
  const swapped = { ...without, primary: 'eu', secondaries: { us: {} } };
  expect(await session.apply(swapped)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu', 'ap']);
});

test('a cluster that another apply joins at the same time keeps the token of its join', async () => {
  clusters = await startClusters(['us', 'eu']);
  await clusters.addOperators();
  const { replication, clock } = clusters.emulator;
  replication.partition('us', 'eu');
  session = new Session(clusters);
  const other = session.another();
  let isFirst = true;
  const before = async ({ path }: { readonly path: string }) => {
    if (!isFirst || !path.endsWith('primary/enable')) return;
    isFirst = false;
    expect(await other.apply(pair)).toMatchObject({ errors: [expect.stringContaining('a step failed')] });
  };
  const { errors } = await session.apply(pair, { watcher: { before } });
  expect(errors).toEqual([expect.stringContaining('cannot make a public key on')]);
  expect(await clusters.status('us')).toMatchObject({ known_secondaries: ['eu'] });

  replication.heal();
  clock.advance(10_000);
  expect(await session.apply(pair)).toMatchObject({ errors: [] });
  expect(await clusters.status('eu')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});

describe('after the loss of the primary,', () => {
  const lost = { primary: 'eu', force_promotion: 'eu', abandoned_clusters: ['us'] };

  test('another cluster is promoted although no login works on a third one', async () => {
    clusters = await startClusters(['us', 'eu', 'ap']);
    await clusters.addOperators();
    session = new Session(clusters);
    const { replication, clock, faults } = clusters.emulator;
    expect(await session.apply(pair)).toMatchObject({ errors: [] });
    replication.partition('us', 'ap');
    const secondaries = { eu: {}, ap: { confirm_data_loss: 'ap' } };
    expect(await session.apply({ ...pair, secondaries })).toMatchObject({
      errors: [expect.stringContaining('did not receive everything from its primary')],
    });
    clock.advance(400_000);
    faults.inject({ cluster: 'us', drop: 'before' });

    const forced = { ...lost, secondaries: { ap: { confirm_data_loss: 'ap 2' } }, timeouts };
    const { errors } = await session.apply(forced);
    expect(errors).toEqual([expect.stringContaining('cannot make a public key on')]);
    expect(errors[0]).toContain('Changed so far:\n  - eu: become the primary, BY FORCE');
    expect(await clusters.status('eu')).toMatchObject({ mode: 'primary' });
    expect((await session.apply(forced)).errors).toEqual([
      expect.stringContaining('give "ap" empty storage'),
    ]);
  });

  test('no cluster is promoted beside the primary once the primary starts again', async () => {
    await begin({ unavailableMs: 30_000 });
    clusters.emulator.replication.crash('us');
    const { steps, errors } = await session.apply({
      ...lost,
      timeouts: { mode_change: '40s', takeover: '40s' },
    });
    expect(steps).toEqual([
      'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
    ]);
    expect(errors).toEqual([
      expect.stringMatching(
        /the clusters have changed since the plan was made\n[^]*\n\nNothing was changed\./,
      ),
    ]);
    expect(errors[0]).toContain('us: step down as the primary, BY FORCE');
    expect(await clusters.primaries()).toEqual(['us']);
  });

  test('a saved plan that abandons the primary is valid although the primary was lost only afterwards', async () => {
    await begin();
    const plan = await session.plan({ ...lost, timeouts });
    expect(plan.steps).toEqual([
      'us: step down as the primary, BY FORCE if necessary (writes that eu never received are lost)',
      'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
    ]);
    clusters.emulator.faults.inject({ cluster: 'us', drop: 'before' });
    expect(await session.applySaved(plan)).toMatchObject({ errors: [] });
    expect(await clusters.status('eu')).toMatchObject({ mode: 'primary' });
  });

  test('a saved plan that abandons the primary is valid although the primary answers again, and its steps are refused', async () => {
    await begin();
    const { faults } = clusters.emulator;
    faults.inject({ cluster: 'us', drop: 'before' });
    const plan = await session.plan({ ...lost, timeouts });
    expect(plan.steps).toEqual([
      'eu: become the primary, BY FORCE if necessary (writes that it never received are lost)',
    ]);
    faults.clear();
    const { errors } = await session.applySaved(plan);
    expect(errors).toEqual([
      expect.stringContaining(
        'the clusters have changed since the plan was made\nNeeded now, but not in the plan:\n' +
          '  - us: step down as the primary, BY FORCE if necessary (writes that eu never received are lost)',
      ),
    ]);
    expect(await clusters.primaries()).toEqual(['us']);
  });
});

test('a primary that did not answer while another cluster took over is reported as a second primary once it answers', async () => {
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  session = new Session(clusters);
  const both = { eu: { confirm_data_loss: 'eu' }, ap: { confirm_data_loss: 'ap' } };
  expect(await session.apply({ ...pair, secondaries: both })).toMatchObject({ errors: [] });
  const { faults, clock } = clusters.emulator;
  faults.inject({ cluster: 'us', path: `${CALLS}/status`, drop: 'before' });
  await clusters.ask('ap', 'POST', `${CALLS}/secondary/promote`, { force: true });
  clock.advance(10_000);
  // The configuration no longer names us.
  const after = { primary: 'ap', secondaries: { eu: {} }, timeouts };
  expect(await session.apply(after)).toMatchObject({ errors: [] });
  expect(await session.plan(after)).toMatchObject({ errors: [], steps: null });
  faults.clear();
  for (let times = 0; times < 2; times += 1) {
    expect((await session.plan(after)).errors).toEqual([
      expect.stringContaining('"ap" and "us" are both primaries of this replication set'),
    ]);
  }
  await clusters.ask('us', 'POST', `${CALLS}/primary/demote`);
  clock.advance(10_000);
  expect(await session.plan(after)).toMatchObject({ errors: [], steps: null });
});

describe('a cluster that has joined and never reached its primary, so that nobody can log in to it', () => {
  beforeEach(async () => {
    clusters = await startClusters(['us', 'eu', 'ap', 'spare']);
    await clusters.addOperators();
    session = new Session(clusters);
    const { replication, clock } = clusters.emulator;
    replication.partition('us', 'ap');
    const both = { eu: { confirm_data_loss: 'eu' }, ap: { confirm_data_loss: 'ap' } };
    expect(await session.apply({ ...pair, secondaries: both })).toMatchObject({
      errors: [expect.stringContaining('did not receive everything from its primary')],
    });
    clock.advance(400_000);
    replication.heal();
    clock.advance(10_000);
  });

  /** Another server runs at the address of ap, as after an initialization with empty storage. */
  function replaced(): Session {
    const { emulator, wire } = clusters;
    const present = { ...emulator.clusters, ap: emulator.clusters.spare! };
    const reachable = { wire, emulator: { clock: emulator.clock, clusters: present } };
    return session.another(reachable as unknown as TestClusters);
  }

  test('such a cluster joins another set as the error advises, after its own set has ended', async () => {
    for (const call of ['primary/demote', 'secondary/disable']) {
      await clusters.ask('us', 'POST', `${CALLS}/${call}`);
      clusters.emulator.clock.advance(10_000);
    }
    const anew = { ...pair, secondaries: { ap: { confirm_data_loss: 'ap' } } };
    const { errors } = await session.another().apply(anew);
    expect(errors).toEqual([
      expect.stringMatching(
        /"ap" is a secondary of another replication set\n.*\n.* If nobody can log in to "ap", as it joined and never reached its primary: give "ap" empty storage/,
      ),
    ]);
    expect(await replaced().apply(anew)).toMatchObject({ errors: [] });
    expect(await clusters.status('spare')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
  });

  test('such a cluster is refused as the successor of a primary that has stepped down, and the error names the possible successors', async () => {
    const other = session.another();
    expect(await other.import('us')).toEqual([]);
    await clusters.ask('us', 'POST', `${CALLS}/primary/demote`);
    clusters.emulator.clock.advance(10_000);
    const { errors } = await other.apply({ primary: 'ap', secondaries: { us: {}, eu: {} }, timeouts });
    expect(errors).toEqual([expect.stringContaining('Cannot log in at auth/operators/login on http://ap.')]);
    expect(errors[0]).toContain(
      'To do: if "ap" joined as a new member, and has not reached its primary since, give "ap" empty storage',
    );
    expect(errors[0]).toContain(
      'To restore one at once, set primary back to "us" and apply: it becomes the primary again, and nothing is lost.',
    );
    expect(await clusters.primaries()).toEqual([]);
    await other.apply({ primary: 'us', secondaries: { eu: {}, ap: {} }, timeouts });
    expect(await clusters.primaries()).toEqual(['us']);
  });
});

test('the error says how to restore the last primary if a filtered secondary was promoted by force and demoted by hand', async () => {
  clusters = await startClusters(['us', 'eu']);
  await clusters.addOperators();
  for (const mount of ['kv', 'legal']) await clusters.mountStore('us', mount);
  session = new Session(clusters);
  const filter = { mode: 'deny', paths: ['legal/'] };
  const filtered = { ...pair, secondaries: { eu: { confirm_data_loss: 'eu', paths_filter: filter } } };
  expect(await session.apply(filtered)).toMatchObject({ errors: [] });
  expect(await clusters.write('us', 'legal/case')).toBe(true);
  const byHand: readonly (readonly [string, string, object])[] = [
    ['us', 'primary/demote', {}],
    ['eu', 'secondary/promote', { force: true }],
    ['eu', 'primary/demote', {}],
  ];
  for (const [cluster, call, body] of byHand) {
    await clusters.ask(cluster, 'POST', `${CALLS}/${call}`, body);
    clusters.emulator.clock.advance(10_000);
  }
  const { errors } = await session.apply(filtered);
  expect(errors).toEqual([
    expect.stringContaining(
      'No cluster is the primary now: nothing can be written. "eu" stepped down as the primary, too, and may have writes that ' +
        '"us" lacks. To restore one, set primary to "eu" and apply: it becomes the primary if it has all writes. ' +
        'If these may be lost, set force_promotion to "us", and confirm the loss with confirm_data_loss.',
    ),
  ]);
  const secondaries = { eu: { confirm_data_loss: 'eu again', paths_filter: filter } };
  expect(await session.apply({ ...pair, force_promotion: 'us', secondaries })).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['us']);
  expect(await clusters.lacks('us', ['legal/case'])).toEqual([]);
});

test('a filter that a killed apply left after a revocation is removed by the next apply', async () => {
  clusters = await startClusters(['us', 'eu'], { assume: { revocationOfUnknownId: 'refused' } });
  await clusters.addOperators();
  session = new Session(clusters);
  const eu = { confirm_data_loss: 'eu', paths_filter: { mode: 'deny', paths: ['legal/'] } };
  expect(await session.apply({ ...pair, secondaries: { eu } })).toMatchObject({ errors: [] });
  const alone = { primary: 'us', secondaries: {}, deletion_protection: false, timeouts };
  const interrupt: Interrupt = ({ path }) =>
    path.endsWith('primary/revoke-secondary') ? 'killed after' : undefined;
  expect(await session.apply(alone, { interrupt })).toMatchObject({ killed: true });
  expect(await clusters.status('us')).toMatchObject({ known_secondaries: [] });
  const filter = `${CALLS}/primary/paths-filter/eu`;
  expect(await clusters.ask('us', 'GET', filter)).toMatchObject({ data: eu.paths_filter });

  expect(await session.apply(alone)).toMatchObject({
    errors: [],
    steps: ['us: revoke secondary "eu", and remove its paths filter'],
  });
  expect(await clusters.ask('us', 'GET', filter)).toMatchObject({ status: 404 });
  expect((await session.plan(alone)).steps).toBeNull();
});

test('the error says how to restore the old primary if the new one was disabled by hand before the old one had caught up', async () => {
  await begin({ unavailableMs: 3_000 });
  const interrupt: Interrupt = ({ path }) => (path.endsWith('/update-primary') ? 'killed after' : undefined);
  const toEu = { primary: 'eu', secondaries: { us: {} }, timeouts };
  const { replication } = clusters.emulator;
  const before = async ({ path }: { readonly path: string }) => {
    if (path.endsWith('/update-primary')) replication.partition('us', 'eu');
  };
  expect(await session.apply(toEu, { interrupt, watcher: { before } })).toMatchObject({ killed: true });
  expect((await clusters.ask('eu', 'POST', `${CALLS}/primary/disable`)).status).toBe(200);
  clusters.emulator.clock.advance(60_000);
  replication.heal();

  const back = { primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu again' } }, timeouts };
  const { errors } = await session.apply(back);
  expect(errors).toEqual([expect.stringContaining('"us" must not become the primary again')]);
  expect(errors[0]!.match(/To do: .*/g)).toEqual([
    expect.stringMatching(
      / If none is, and the writes that "us" lacks may be lost, set force_promotion to "us"\.$/,
    ),
  ]);
  expect(await session.apply({ ...back, force_promotion: 'us' })).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['us']);
});

test('a saved plan with a failover changes nothing if a member would now have to be erased', async () => {
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  session = new Session(clusters);
  const ap = { confirm_data_loss: 'ap' };
  const three = { ...pair, secondaries: { ...pair.secondaries, ap } };
  expect(await session.apply(three)).toMatchObject({ errors: [] });
  clusters.emulator.faults.inject({ cluster: 'us', drop: 'before' });
  const over = {
    ...forced,
    abandoned_clusters: ['us'],
    secondaries: { ap: { confirm_data_loss: 'ap again' } },
  };
  const plan = await session.plan(over);
  expect(plan).toMatchObject({ errors: [] });
  expect(plan.steps![0]).toContain('eu: become the primary, BY FORCE');
  await clusters.ask('ap', 'POST', `${CALLS}/secondary/disable`);
  clusters.emulator.clock.advance(10_000);
  const { errors } = await session.applySaved(plan);
  expect(errors).toEqual([expect.stringContaining('the clusters have changed since the plan was made')]);
  expect(errors[0]).toContain('ap: ERASE ALL DATA of this cluster');
  expect(errors[0]).toContain('Nothing was changed.');
  expect(await clusters.status('eu')).toMatchObject({ mode: 'secondary' });
  expect(await session.apply(over)).toMatchObject({ errors: [] });
});
