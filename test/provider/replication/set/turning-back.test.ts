/** A switch-over that cannot be ended, because the old primary took writes in the moment in which it stepped down. */
import { startClusters, type TestClusters } from './support/clusters';
import type { SeenRequest, Watcher } from './support/interruption';
import { Session } from './support/session';

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
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  for (const mount of ['kv', 'legal', 'hr']) await clusters.mountStore('us', mount);
  for (const key of ['kv/first', 'legal/case', 'hr/staff']) await clusters.write('us', key);
  session = new Session(clusters.emulator);
  expect(await session.apply(from)).toMatchObject({ errors: [] });
});
afterEach(() => clusters.emulator.close());

/** Somebody writes to a primary when it is just about to step down, and nothing of it arrives anywhere. */
async function writeLate({ path }: SeenRequest): Promise<void> {
  if (!path.endsWith('/primary/demote')) return;
  const [primary] = await clusters.primaries();
  for (const name of clusters.names) clusters.emulator.replication.pause(name);
  expect(await clusters.write(primary!, LATE)).toBe(true);
}

function resume(): void {
  for (const name of clusters.names) clusters.emulator.replication.resume(name);
}

/** Applies while somebody writes late. What was paused goes on with the first call that answers about the promotion. */
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

test('the old primary becomes the primary again, its secondaries follow it as before, and the error says so', async () => {
  const { errors, steps } = await applyWith();
  expect(steps![1]).toContain('; else us takes the primary back, and its secondaries follow it as before');
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again\nNothing is lost');
  expect(errors[0]).toContain(
    'To do: stop the writers for a moment, or wait until "eu" lags less, and apply again.',
  );
  const done = errors[0]!.split('Done before that:\n')[1]!.split('\nThe clusters now:\n');
  expect(done[0]!.split('\n')).toEqual([
    '  - us: wait until eu has all its writes, then step down as the primary (keeps its data)',
    `  - NOT POSSIBLE: ${steps![1]}. Reason: "eu" lacks writes that "us" took before it stepped down, and did not get them within 20 s`,
    '  - us: become the primary again (keeps its data)',
    '  - eu: follow us as its secondary "eu", unfiltered (keeps its data)',
    '  - ap: follow us as its secondary "ap", without legal/ (keeps its data)',
  ]);
  expect(done[1]).toContain('  - us: primary, running');
  await expectAsBefore();
  expect(session.values).toMatchObject({ primary: 'us', secondaries: from.secondaries });
});

test('the next apply switches over, once nobody writes; or has nothing to do, where that was given up', async () => {
  await applyWith();
  expect(await session.apply(from)).toMatchObject({ errors: [], steps: null });
  const { steps, errors } = await session.apply(to);
  expect([steps!.length, errors]).toEqual([4, []]);
  expect(await clusters.primaries()).toEqual(['eu']);
  for (const name of clusters.names) expect(await clusters.lacks(name, [LATE])).toEqual([]);
});
