/** The losses of secondaries by a forced promotion, and the secondary with the most data. */
import {
  planFor,
  type ClusterFacts,
  type Filter,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import { planForDestroy } from '../../../../../src/provider/replication/set/planner/plan-for-destroy';
import {
  betterSuccessor,
  isBehindForGood,
  lossByForce,
  positionOf,
} from '../../../../../src/provider/replication/set/planner/losses';
import { DENY, demoted, fresh, goal, gone, primary, secondary, SET, upTo } from './observations';

const knows = ['us', 'eu', 'ap'] as const;
const failover = (filters: Readonly<Record<string, Filter>> = {}, forced = true) =>
  goal({ primary: 'eu', secondaries: { ap: null, mx: null }, forced, knows: [...knows, 'mx'], filters });
const at = (name: string, position: number, root?: string) => upTo(position, secondary(name), root);
const ALLOW: Filter = { mode: 'allow', paths: ['kv/'] };

test.each<readonly [string, Observation, string | undefined]>([
  ['it has more', { eu: at('eu', 7), ap: at('ap', 8) }, 'behind'],
  ['it has less', { eu: at('eu', 7), ap: at('ap', 6) }, undefined],
  ['it has as much', { eu: at('eu', 7, 'one'), ap: at('ap', 7, 'other') }, undefined],
  [
    'it has the same data, whatever its position',
    { eu: at('eu', 0, 'same'), ap: at('ap', 9, 'same') },
    undefined,
  ],
  [
    'its merkle tree is corrupted',
    { eu: at('eu', 7, 'same'), ap: { ...at('ap', 9, 'same'), digest: 'wrong' } as ClusterFacts },
    'unclear',
  ],
  [
    'the merkle tree of its successor is corrupted',
    { eu: { ...at('eu', 7, 'same'), digest: 'wrong' } as ClusterFacts, ap: at('ap', 9, 'same') },
    'unclear',
  ],
  ['its position is not known', { eu: at('eu', 7), ap: at('ap', 0) }, 'unclear'],
  ["its successor's position is not known", { eu: at('eu', 0), ap: at('ap', 7) }, 'unclear'],
  ['neither tells', { eu: secondary('eu'), ap: secondary('ap') }, 'unclear'],
  ['it cannot be asked', { eu: at('eu', 7), ap: gone(at('ap', 6)) }, 'unclear'],
  ['it stepped down', { eu: at('eu', 7), ap: upTo(8, demoted()) }, undefined],
  ['it is a primary', { eu: at('eu', 7), ap: primary() }, undefined],
  ['it is new', { eu: at('eu', 7), ap: fresh }, undefined],
  ['its successor is a primary already', { eu: primary(), ap: at('ap', 8) }, undefined],
  ['it is in another set', { eu: at('eu', 7), ap: upTo(8, secondary('ap', 'set-2')) }, undefined],
])('what a secondary loses: %s', (_why, observation, loss) => {
  expect(lossByForce('ap', failover(), observation)).toBe(loss);
});

test('an unknown set has no known filter', () => {
  const wanted = goal({ primary: 'eu', secondaries: { ap: null }, forced: true });
  expect(lossByForce('ap', wanted, { eu: at('eu', 7), ap: at('ap', 8) })).toBe('behind');
});

test('a planned promotion loses nothing, and nothing is lost by the successor itself', () => {
  const observation = { eu: at('eu', 7), ap: at('ap', 8) };
  expect(lossByForce('ap', failover({}, false), observation)).toBeUndefined();
  expect(lossByForce('eu', failover({ eu: DENY }), observation)).toBeUndefined();
  expect(lossByForce('eu', failover(), { eu: secondary('eu') })).toBeUndefined();
});

test.each<readonly [string, Readonly<Record<string, Filter>>, 'filtered' | undefined]>([
  ['the successor is filtered', { eu: DENY }, 'filtered'],
  ['the other one is filtered', { ap: DENY }, undefined],
  ['both are filtered alike', { eu: DENY, ap: DENY }, undefined],
  ['the successor keeps away more', { eu: { mode: 'deny', paths: ['legal', 'kv'] }, ap: DENY }, 'filtered'],
  ['the successor keeps away less', { eu: DENY, ap: { mode: 'deny', paths: ['legal', 'kv'] } }, undefined],
  ['the successor is allowed less', { eu: ALLOW, ap: { mode: 'allow', paths: ['kv', 'legal'] } }, 'filtered'],
  ['the successor is allowed more', { eu: { mode: 'allow', paths: ['kv', 'legal'] }, ap: ALLOW }, undefined],
  ['they are filtered in two ways', { eu: DENY, ap: { mode: 'allow', paths: ['legal/'] } }, 'filtered'],
  ['the filter of the successor withholds nothing', { eu: { mode: 'deny', paths: [] } }, undefined],
])('what filters keep away: %s', (_how, filters, loss) => {
  expect(lossByForce('ap', failover(filters), { eu: at('eu', 7), ap: at('ap', 7) })).toBe(loss);
});

test.each<readonly [string, Observation, Readonly<Record<string, Filter>>, string | undefined]>([
  ['the one that has the most', { eu: at('eu', 7), ap: at('ap', 8), mx: at('mx', 9) }, {}, 'mx'],
  ['the one that has more', { eu: at('eu', 7), ap: at('ap', 9), mx: at('mx', 8) }, {}, 'ap'],
  ['the one that is unfiltered', { eu: at('eu', 7), ap: at('ap', 8), mx: at('mx', 9) }, { mx: DENY }, 'ap'],
  [
    'one that has as much, and more mounts',
    { eu: at('eu', 7), ap: at('ap', 7), mx: at('mx', 6) },
    { eu: DENY },
    'ap',
  ],
  ['none that has less', { eu: at('eu', 7), ap: at('ap', 6), mx: at('mx', 5) }, { eu: DENY }, undefined],
  [
    'none that cannot be compared',
    { eu: at('eu', 7), ap: gone(at('ap', 9)), mx: at('mx', 0) },
    {},
    undefined,
  ],
])('who should rather take over: %s', (_which, observation, filters, better) => {
  expect(betterSuccessor(failover(filters), observation)).toBe(better);
});

test('the position of a cluster is the number of its last entry in the log', () => {
  const facts: readonly ClusterFacts[] = [at('eu', 7), secondary('eu'), primary(), fresh];
  expect(facts.map(positionOf)).toEqual([7, 0, 0, 0]);
});

test('positions are compared only for a forced promotion', () => {
  const us = { us: demoted(), eu: secondary('eu') };
  const swap = goal({ primary: 'eu', secondaries: { us: null }, knows: ['us', 'eu'] });
  expect(planFor(failover()).comparesProgress).toBe(true);
  expect(planFor(swap).comparesProgress).toBe(false);
  expect(planFor(swap).back(us)!.comparesProgress).toBe(false);
  expect(planForDestroy({ primary: 'us', clusterId: SET, ids: {}, filters: {} }, []).comparesProgress).toBe(
    false,
  );
});

test.each<readonly [string, Observation, boolean]>([
  ['it lacks data of the last primary', { us: upTo(8, demoted()), eu: at('eu', 7) }, true],
  [
    'it lacks data of one that stepped down',
    { us: at('us', 7), eu: at('eu', 7), ap: upTo(8, demoted()) },
    true,
  ],
  ['it has the same data', { us: upTo(8, demoted(), 'same'), eu: at('eu', 7, 'same') }, false],
  ['its data is not known', { us: upTo(8, demoted()), eu: secondary('eu') }, false],
  ['the data of the last primary is not known', { us: demoted(), eu: at('eu', 7) }, false],
  ['a primary sends it data', { us: upTo(8, demoted()), eu: at('eu', 7), ap: primary() }, false],
  [
    'a member that does not answer may send it data',
    { us: upTo(8, demoted()), eu: at('eu', 7), ap: gone(at('ap', 9)) },
    false,
  ],
])('whether a successor is behind for good: %s', (_why, observation, isBehind) => {
  const wanted = goal({ primary: 'eu', secondaries: { us: null, ap: null }, forced: true, knows });
  expect(isBehindForGood(wanted, { ap: at('ap', 7), ...observation })).toBe(isBehind);
});
