/** Members that are restored from a snapshot of another member, or from an old one of their own. */
import { takeSnapshot } from '../../../../src/emulator/auto-snapshots/archive';
import type { Responder } from '../../../../src/emulator/http/responder';
import { startClusters, type TestClusters } from './support/clusters';
import { Session, type Values } from './support/session';
import { startInProcess } from './support/wire';

const CALLS = 'sys/replication/performance';
const timeouts = { mode_change: '6s', sync: '6s' };
const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const set = { primary: 'us', secondaries: { eu, ap }, timeouts };

let clusters: TestClusters;
let responders: Readonly<Record<string, Responder>>;
let session: Session;
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu', 'ap'], {}, async (options) => {
    const started = await startInProcess(options);
    ({ responders } = started);
    return started;
  });
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  session = new Session(clusters);
  expect(await session.apply(set)).toMatchObject({ errors: [] });
});
afterEach(() => clusters.emulator.close());

/** Takes a snapshot of a cluster. */
function snapshotOf(name: string) {
  return takeSnapshot(responders[name]!.cluster, 0);
}

function restore(name: string, snapshot: ReturnType<typeof snapshotOf>): void {
  responders[name]!.cluster.restore(snapshot);
  clusters.emulator.clock.advance(60_000);
}

async function call(name: string, path: string, body?: object): Promise<void> {
  expect((await clusters.ask(name, 'POST', `${CALLS}/${path}`, body)).status).toBe(200);
  clusters.emulator.clock.advance(60_000);
}

test('a secondary that is restored from a snapshot of its primary is a second primary, and follows once it is demoted', async () => {
  restore('eu', snapshotOf('us'));
  expect(await clusters.primaries()).toEqual(['us', 'eu']);
  expect((await session.apply(set)).errors).toEqual([
    expect.stringContaining('"us" and "eu" are both primaries of this replication set'),
  ]);
  await call('eu', 'primary/demote');
  const replaced = await session.apply(set);
  expect(replaced.errors).toEqual([
    expect.stringContaining('"eu" is not the cluster that the plan was made for'),
  ]);
  expect(await session.apply(set)).toMatchObject({ errors: [] });
  expect((await session.plan(set)).steps).toBeNull();
  expect(await clusters.primaries()).toEqual(['us']);
  expect(await clusters.write('us', 'kv/after')).toBe(true);
  clusters.emulator.clock.advance(1_000);
  expect(await clusters.lacks('eu', ['kv/after'])).toEqual([]);
});

test('a former primary that is restored from a snapshot of its successor follows the successor', async () => {
  const before = snapshotOf('ap');
  await call('ap', 'secondary/promote', { force: true });
  restore('us', before);
  expect(await clusters.status('us')).toMatchObject({ mode: 'secondary', secondary_id: 'ap' });
  const over = { primary: 'ap', secondaries: { us: {}, eu }, timeouts };
  expect((await session.apply(over)).errors).toEqual([
    expect.stringContaining('"us" is not the cluster that the plan was made for'),
  ]);
  expect(await session.apply(over)).toMatchObject({ errors: [] });
  expect((await session.plan(over)).steps).toBeNull();
  expect(await clusters.primaries()).toEqual(['ap']);
  expect(await clusters.status('us')).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
});

test('a primary that is restored from a snapshot of its secondary becomes the primary again, as each error advises', async () => {
  restore('us', snapshotOf('eu'));
  expect(await clusters.primaries()).toEqual([]);
  const told = (outcome: { readonly errors: readonly string[] }) => outcome.errors.join('\n');
  expect(told(await session.apply(set))).toContain('disable replication on "eu"');
  await call('eu', 'secondary/disable');
  const confirmed = { ...set, secondaries: { eu: { confirm_data_loss: 'eu 2' }, ap } };
  expect(told(await session.apply(confirmed))).toContain('set force_promotion to "us"');
  const forced = { ...confirmed, force_promotion: 'us' };
  expect(told(await session.apply(forced))).toContain('Or plan again');
  expect(await session.apply(forced)).toMatchObject({ errors: [] });
  expect((await session.plan(forced)).steps).toBeNull();
  expect(await clusters.primaries()).toEqual(['us']);
});

describe('a new primary that is restored from its own snapshot, as a secondary', () => {
  const over = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };
  const toldOf = async (values: Values) => (await session.apply(values)).errors.join('\n');

  beforeEach(async () => {
    const before = snapshotOf('eu');
    expect(await session.apply(over)).toMatchObject({ errors: [] });
    expect(await clusters.write('eu', 'kv/later')).toBe(true);
    clusters.emulator.clock.advance(1_000);
    restore('eu', before);
    expect(await clusters.primaries()).toEqual([]);
    expect(await clusters.lacks('us', ['kv/later'])).toEqual([]);
    expect(await toldOf(over)).toContain('"eu" must not become the primary again');
  });

  test('the former primary has all writes and takes over by force, with one confirmation', async () => {
    expect(await toldOf({ ...over, force_promotion: 'eu' })).toContain(
      'set primary and force_promotion to "us"',
    );
    const back = { ...set, force_promotion: 'us' };
    const told = await toldOf(back);
    expect(told).toContain('confirm_data_loss = "eu 2025-12-31"');
    expect(told).not.toContain('remove force_promotion');
    const unforced = await toldOf(set);
    expect(unforced).toContain('"us" lacks writes that "eu" accepted');
    expect(unforced).not.toContain('nothing is lost');
    const confirmed = { ...back, secondaries: { eu: { confirm_data_loss: 'eu 2' }, ap } };
    expect(await session.apply(confirmed)).toMatchObject({ errors: [] });
    expect((await session.plan(confirmed)).steps).toBeNull();
    expect(await clusters.primaries()).toEqual(['us']);
    expect(await clusters.lacks('us', ['kv/later'])).toEqual([]);
  });

  test('the restored cluster takes over by force, with a confirmation for each other member', async () => {
    const secondaries = { us: { confirm_data_loss: 'us' }, ap: { confirm_data_loss: 'ap 2' } };
    const forced = { ...over, secondaries, force_promotion: 'eu' };
    expect(await session.apply(forced)).toMatchObject({ errors: [] });
    expect((await session.plan(forced)).steps).toBeNull();
    expect(await clusters.primaries()).toEqual(['eu']);
  });
});
