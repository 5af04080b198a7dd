/**
 * Secondaries without new writes: their position in the log stays 0 after a sync, and they are
 * healthy.
 */
import type { Stack } from '../../support';
import { statusOf } from '../support';
import { withStatus } from './support/answers';
import { startClusters, type TestClusters } from './support/clusters';
import { Session } from './support/session';
import { apply, hasData, modes, plannedSteps, startThree, writeData } from './support/set-stack';

const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap', paths_filter: { mode: 'deny', paths: ['legal/'] } };
/** Short, because a wait for a position that is never reached lasts until the timeout. */
const timeouts = { mode_change: '5s', sync: '5s' };

describe('a position that does not count all writes', () => {
  let clusters: TestClusters;
  let session: Session;
  beforeEach(async () => {
    clusters = await startClusters(['us', 'ap'], { assume: { filteredRoots: 'own' } });
    await clusters.addOperators();
    await clusters.mountStore('us', 'legal');
    const servers = withStatus(clusters, (data, origin) => {
      if (!origin.includes('ap.') || data.mode !== 'secondary') return;
      Object.assign(data, { last_remote_wal: 3, merkle_root: `own-${String(data.merkle_root)}` });
    });
    session = new Session(servers);
  });
  afterEach(() => clusters.emulator.close());

  test.each([
    ['of a filtered secondary counts as complete once it has not changed for 10 s', ap, []],
    [
      'of a secondary without a filter is an error, because the secondary lacks data',
      { confirm_data_loss: 'ap' },
      [expect.stringContaining('did not receive everything from its primary')],
    ],
  ])('such a position %s', async (_, member, errors) => {
    const { clock } = clusters.emulator;
    const began = clock.now();
    const waiting = { mode_change: '60s', sync: '2m' };
    const outcome = await session.apply({ primary: 'us', secondaries: { ap: member }, timeouts: waiting });
    expect(outcome.errors).toEqual(errors);
    const seconds = (clock.now() - began) / 1_000;
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(seconds < 60).toBe(errors.length === 0);
  });
});

let stack: Stack;
beforeAll(async () => {
  stack = await startThree({ assume: { lastRemoteWal: 'zero', filteredRoots: 'own' } });
  await writeData(stack, 'us', 'kv');
  await writeData(stack, 'us', 'legal');
});
afterAll(() => stack.close());

test('secondaries at position 0 join, with or without a filter, and take over', async () => {
  const three = { primary: 'us', secondaries: { eu, ap }, timeouts };
  await apply(stack, three);
  expect(await statusOf(stack, 'eu')).toMatchObject({ state: 'stream-wals', last_remote_wal: 0 });
  expect(await plannedSteps(stack)).toBeUndefined();
  expect([await hasData(stack, 'ap', 'kv'), await hasData(stack, 'ap', 'legal')]).toEqual([true, false]);

  await apply(stack, { primary: 'eu', secondaries: { us: {}, ap }, timeouts });
  expect(await modes(stack)).toMatchObject({ eu: 'primary', us: 'secondary "us", stream-wals, ready' });
  expect(await hasData(stack, 'eu', 'legal')).toBe(true);
  expect(await plannedSteps(stack)).toBeUndefined();
});
