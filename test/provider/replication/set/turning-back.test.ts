/**
 * A switchover that cannot be completed, because the old primary accepted writes just before it
 * stepped down.
 */
import { startClusters, type TestClusters } from './support/clusters';
import type { SeenRequest, Watcher } from './support/interruption';
import { Session } from './support/session';
import { startOverHttp } from './support/over-http';

const CALLS = 'sys/replication/performance';
const LATE = 'kv/late';
const timeouts = { mode_change: '20s', sync: '20s' };
const filtered = (...paths: string[]) => ({
  confirm_data_loss: 'ap',
  paths_filter: { mode: 'deny', paths },
});
const from = {
  primary: 'us',
  secondaries: { eu: { confirm_data_loss: 'eu' }, ap: filtered('legal/') },
  timeouts,
};
const to = { primary: 'eu', secondaries: { us: {}, ap: filtered('legal/', 'hr/') }, timeouts };

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu', 'ap'], {}, startOverHttp);
  await clusters.addOperators();
  for (const mount of ['kv', 'legal', 'hr']) await clusters.mountStore('us', mount);
  for (const key of ['kv/first', 'legal/case', 'hr/staff']) await clusters.write('us', key);
  session = new Session(clusters);
  expect(await session.apply(from)).toMatchObject({ errors: [] });
});
afterEach(() => clusters.emulator.close());

/**
 * Pauses replication and writes to the primary just before it steps down, so that no secondary
 * receives the write.
 */
async function writeLate({ path }: SeenRequest): Promise<void> {
  if (!path.endsWith('/primary/demote')) return;
  const [primary] = await clusters.primaries();
  for (const name of clusters.names) clusters.emulator.replication.pause(name);
  expect(await clusters.write(primary!, LATE)).toBe(true);
}

function resume(): void {
  for (const name of clusters.names) clusters.emulator.replication.resume(name);
}

/** Applies with a late write. Replication continues when the provider asks for the promotion. */
function applyWith(watcher: Watcher = {}, config: object = to) {
  const before = async (request: SeenRequest) => {
    await writeLate(request);
    if (request.path.endsWith('/secondary/promote')) resume();
    await watcher.before?.(request);
  };
  return session.apply(config as typeof to, { watcher: { ...watcher, before } });
}

async function filterOf(id: string): Promise<unknown> {
  return (await clusters.ask('us', 'GET', `${CALLS}/primary/paths-filter/${id}`)).data;
}

async function expectAsBefore(): Promise<void> {
  expect(await clusters.primaries()).toEqual(['us']);
  for (const name of ['eu', 'ap']) {
    expect(await clusters.status(name)).toMatchObject({
      secondary_id: name,
      state: 'stream-wals',
      connection_state: 'ready',
    });
    expect(await clusters.lacks(name, ['kv/first', LATE])).toEqual([]);
  }
  expect(await filterOf('ap')).toEqual({ mode: 'deny', paths: ['legal/'] });
  expect(await clusters.lacks('ap', ['legal/case', 'hr/staff'])).toEqual(['legal/case']);
}

test('the old primary becomes the primary again, its secondaries follow it as before, and the error reports it', async () => {
  const { errors, steps } = await applyWith();
  expect(steps![1]).toContain(
    '; otherwise us becomes the primary again, and its secondaries follow it as before',
  );
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again\nNothing is lost');
  expect(errors[0]).toContain('To do: pause the writers, or wait until "eu" lags less, and apply again.');
  const done = errors[0]!.split('Changed so far:\n')[1]!.split('\nClusters now:\n');
  expect(done[0]!.split('\n')).toEqual([
    '  - us: wait until eu has all its writes, then step down as the primary (keeps its data)',
    `  - NOT POSSIBLE: ${steps![1]}. Reason: "eu" lacks writes that "us" accepted before it stepped down, and did not receive them within 20 s`,
    '  - us: become the primary again (keeps its data)',
    '  - eu: follow us as its secondary "eu", unfiltered (keeps its data)',
    '  - ap: follow us as its secondary "ap", without legal/ (keeps the rest of its data)',
  ]);
  expect(done[1]).toContain('  - us: primary, running');
  await expectAsBefore();
  expect(session.values).toMatchObject({ primary: 'us', secondaries: from.secondaries });
});

test('the next apply completes the switchover, or has no steps if the configuration names the old primary', async () => {
  await applyWith();
  expect(await session.apply(from)).toMatchObject({ errors: [], steps: null });
  const { steps, errors } = await session.apply(to);
  expect([steps!.length, errors]).toEqual([4, []]);
  expect(await clusters.primaries()).toEqual(['eu']);
  for (const name of clusters.names) expect(await clusters.lacks(name, [LATE])).toEqual([]);
});

test('the old primary becomes the primary again if the server refuses to promote a successor that has all writes', async () => {
  clusters.emulator.faults.inject({
    cluster: 'eu',
    path: `${CALLS}/secondary/promote`,
    status: 503,
    errors: ['replication is still catching up, try again later or provide the "force" argument'],
  });
  const { errors } = await session.apply(to);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again');
  expect(errors[0]).toContain(
    'Reason: "eu" was still catching up after 20 s, and its server refuses to promote it',
  );
  expect(await clusters.primaries()).toEqual(['us']);
});

test('the old primary becomes the primary again if the token loses the right to promote', async () => {
  clusters.emulator.faults.inject({
    cluster: 'eu',
    path: `${CALLS}/secondary/promote`,
    status: 403,
    errors: ['permission denied'],
  });
  const { errors } = await session.apply(to);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again');
  expect(errors[0]).toContain('permission denied');
  expect(errors[0]!.match(/To do: .*/g)).toEqual([
    'To do: check the settings of cluster "eu": those in clusters of the provider\'s configuration, then the variables ' +
      'VAULTADMIN_EU_*, then VAULT_* if it is the only cluster. Then apply again. To cancel the switchover, set primary back to "us".',
  ]);
  expect(await clusters.primaries()).toEqual(['us']);
});

describe('cases in which the old primary does not become the primary again', () => {
  const ADVICE =
    'No cluster is the primary now: nothing can be written. To restore one at once, set primary back to "us"';

  test.each([
    ['answers that it failed', { status: 500, errors: ['internal error'] }],
    ['gives no answer', { drop: 'before' as const }],
  ])('the promotion may still take effect, because the server of the successor %s', async (_what, fault) => {
    clusters.emulator.faults.inject({ cluster: 'eu', path: `${CALLS}/secondary/promote`, ...fault });
    const { errors } = await session.apply(to);
    expect(errors).toEqual([expect.stringContaining(ADVICE)]);
    expect(errors[0]).not.toContain('NOT POSSIBLE');
    expect(await clusters.primaries()).toEqual([]);
    clusters.emulator.faults.clear();
    expect(await session.apply(to)).toMatchObject({ errors: [] });
  });

  test('the successor was promoted and no longer answers', async () => {
    const hang = async ({ path }: SeenRequest) => {
      if (path.endsWith('/promote')) clusters.emulator.faults.inject({ cluster: 'eu', drop: 'before' });
    };
    const { errors } = await session.apply(to, { watcher: { after: hang } });
    expect(errors).toHaveLength(1);
    expect(errors[0]).not.toContain('NOT POSSIBLE');
    clusters.emulator.faults.clear();
    expect(await clusters.primaries()).toEqual(['eu']);
    expect(await session.apply(to)).toMatchObject({ errors: [] });
  });

  test('another cluster was promoted in the meantime', async () => {
    const byHand = async ({ path }: SeenRequest) => {
      if (!path.endsWith('/primary/demote')) return;
      await clusters.ask('ap', 'POST', `${CALLS}/secondary/promote`, { force: true });
    };
    const { errors } = await applyWith({ after: byHand });
    expect(errors).toEqual([
      expect.stringContaining('"eu" may have writes that "ap" lacks, and would lose them by following it'),
    ]);
    expect(await clusters.primaries()).toEqual(['ap']);
  });

  test.each(['eu', 'ap'])('the cluster %s does not answer', async (silent) => {
    const lose = async ({ path }: SeenRequest) => {
      if (path.endsWith('/primary/demote'))
        clusters.emulator.faults.inject({ cluster: silent, drop: 'before' });
    };
    const { errors } = await applyWith({ after: lose });
    expect(errors).toEqual([expect.stringContaining(`"${silent}" cannot be reached, but is required`)]);
    expect(errors[0]).toContain(ADVICE.replace('No cluster', 'No cluster that answers'));
    clusters.emulator.faults.clear();
    resume();
    expect(await clusters.primaries()).toEqual([]);
    expect(await session.apply(from)).toMatchObject({ errors: [] });
    await expectAsBefore();
  });
});

test('an apply that is stopped between demotion and promotion says how to have a primary again', async () => {
  const { errors } = await applyWith({
    after: async ({ path }) => {
      if (path.endsWith('/primary/demote')) session.stop();
    },
  });
  expect(errors).toEqual([expect.stringContaining('stopped')]);
  expect(errors[0]).toContain('set primary back to "us" and apply: it becomes the primary again');
});

test('the way back uses the present list of secondaries of the primary', async () => {
  const wrapped = { token_delivery: 'wrapped', primary_api_addr: clusters.emulator.clusters.us!.address };
  const before = {
    ...from,
    secondaries: { eu: { ...from.secondaries.eu, ...wrapped }, ap: { ...filtered('legal/'), ...wrapped } },
  };
  expect(await session.apply(before)).toMatchObject({ errors: [] });
  const elsewhere = {
    ...filtered('legal/'),
    token_delivery: 'wrapped',
    primary_api_addr: 'http://127.0.0.1:1',
  };
  const { errors, requests } = await applyWith({}, { ...to, secondaries: { us: {}, ap: elsewhere } });
  expect(errors).toEqual([expect.stringContaining('"us" is the primary again')]);
  expect(requests.filter(({ path }) => path.endsWith('/generate-public-key'))).toEqual([]);
  await expectAsBefore();
});

test('a primary with steady writes does not step down while its successor lags', async () => {
  const keys: string[] = [];
  const write = async () => {
    keys.push(`kv/steady-${keys.length}`);
    expect(await clusters.write('us', keys.at(-1)!)).toBe(true);
  };
  // The emulator's clock also moves in real time, so the lag has to be longer than any pause
  // between a write and the comparison after it.
  clusters.emulator.replication.delay('eu', 1_000);
  const soon = { ...to, timeouts: { mode_change: '3s', sync: '20s' } };
  const { errors } = await session.apply(soon, { watcher: { after: write } });
  expect(errors).toEqual([expect.stringContaining('"us" keeps receiving writes, and "eu" lags')]);
  expect(errors[0]!.match(/To do: .*/g)).toEqual([
    'To do: pause the writers, wait until it lags less, or raise mode_change in timeouts, and apply again.',
  ]);
  expect(errors[0]).toContain('Nothing was changed.');
  expect(await clusters.primaries()).toEqual(['us']);
  expect(await session.apply(to)).toMatchObject({ errors: [] });
  expect(await clusters.lacks('eu', keys)).toEqual([]);
});

test('a read that fails during the apply is an error with the steps made so far and the next action', async () => {
  const path = `${CALLS}/primary/paths-filter/ap`;
  const { errors } = await applyWith({
    after: async (request) => {
      if (request.path.endsWith('/primary/demote'))
        clusters.emulator.faults.inject({ path, status: 400, errors: ['no filters now'] });
    },
  });
  expect(errors).toEqual([expect.stringContaining('cannot read the paths filter of secondary "ap"')]);
  expect(errors[0]).toContain('no filters now');
  expect(errors[0]).toContain('To do: fix the cause and apply again, which continues from here.');
  expect(errors[0]).toContain('Changed so far:\n  - us: wait until eu has all its writes');
  clusters.emulator.faults.clear();
  expect(await session.apply(from)).toMatchObject({ errors: [] });
  await expectAsBefore();
});

test('a successor that lags by more than mode_change is not called different, and the advice is to raise mode_change', async () => {
  // The emulator's clock also moves in real time, so the lag has to be longer than this test takes.
  clusters.emulator.replication.delay('eu', 30_000);
  const write = async ({ path }: SeenRequest) => {
    if (path.endsWith('/vaultadmin-switchover')) expect(await clusters.write('us', LATE)).toBe(true);
  };
  const soon = { ...to, timeouts: { mode_change: '1s', sync: '20s' } };
  const { errors } = await session.apply(soon, { watcher: { before: write } });
  expect(errors[0]!.match(/To do: .*/g)).toEqual([
    'To do: if "eu" lags by more than that, raise mode_change in timeouts. Otherwise check the merkle trees of both ' +
      '(sys/replication/merkle-check). Then apply again.',
  ]);
  expect(await clusters.primaries()).toEqual(['us']);
  const raised = { ...to, timeouts: { mode_change: '2m', sync: '2m' } };
  expect(await session.apply(raised)).toMatchObject({ errors: [] });
  expect(await clusters.lacks('eu', [LATE])).toEqual([]);
});
