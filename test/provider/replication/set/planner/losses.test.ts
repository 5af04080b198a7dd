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
  ['its later writes, if its position is higher', { eu: at('eu', 7), ap: at('ap', 8) }, 'behind'],
  ['nothing, if its position is lower', { eu: at('eu', 7), ap: at('ap', 6) }, undefined],
  ['nothing, if its position is the same', { eu: at('eu', 7, 'one'), ap: at('ap', 7, 'other') }, undefined],
  [
    'nothing, if its data is the same, whatever its position',
    { eu: at('eu', 0, 'same'), ap: at('ap', 9, 'same') },
    undefined,
  ],
  [
    'an unknown part, if its merkle tree is corrupted',
    { eu: at('eu', 7, 'same'), ap: { ...at('ap', 9, 'same'), digest: 'wrong' } as ClusterFacts },
    'unclear',
  ],
  [
    'an unknown part, if the merkle tree of the successor is corrupted',
    { eu: { ...at('eu', 7, 'same'), digest: 'wrong' } as ClusterFacts, ap: at('ap', 9, 'same') },
    'unclear',
  ],
  ['an unknown part, if its position is not known', { eu: at('eu', 7), ap: at('ap', 0) }, 'unclear'],
  [
    'an unknown part, if the position of the successor is not known',
    { eu: at('eu', 0), ap: at('ap', 7) },
    'unclear',
  ],
  ['an unknown part, if neither position is known', { eu: secondary('eu'), ap: secondary('ap') }, 'unclear'],
  ['an unknown part, if it does not answer', { eu: at('eu', 7), ap: gone(at('ap', 6)) }, 'unclear'],
  ['nothing, if it has stepped down', { eu: at('eu', 7), ap: upTo(8, demoted()) }, undefined],
  ['nothing, if it is a primary', { eu: at('eu', 7), ap: primary() }, undefined],
  ['nothing, if it is new', { eu: at('eu', 7), ap: fresh }, undefined],
  ['nothing, if the successor is already a primary', { eu: primary(), ap: at('ap', 8) }, undefined],
  ['nothing, if it is in another set', { eu: at('eu', 7), ap: upTo(8, secondary('ap', 'set-2')) }, undefined],
])('a secondary loses by a forced promotion: %s', (_why, observation, loss) => {
  expect(lossByForce('ap', failover(), observation)).toBe(loss);
});

test('a secondary with a higher position loses writes by a forced promotion, also if the set is not known', () => {
  const wanted = goal({ primary: 'eu', secondaries: { ap: null }, forced: true });
  expect(lossByForce('ap', wanted, { eu: at('eu', 7), ap: at('ap', 8) })).toBe('behind');
});

test('a secondary loses nothing by a planned promotion, and the successor loses nothing by any', () => {
  const observation = { eu: at('eu', 7), ap: at('ap', 8) };
  expect(lossByForce('ap', failover({}, false), observation)).toBeUndefined();
  expect(lossByForce('eu', failover({ eu: DENY }), observation)).toBeUndefined();
  expect(lossByForce('eu', failover(), { eu: secondary('eu') })).toBeUndefined();
});

test.each<readonly [string, Readonly<Record<string, Filter>>, 'filtered' | undefined]>([
  ['lost, if only the filter of the successor withholds it', { eu: DENY }, 'filtered'],
  ['kept, if only the filter of the other secondary withholds it', { ap: DENY }, undefined],
  ['kept, if both filters are the same', { eu: DENY, ap: DENY }, undefined],
  [
    'lost, if the successor denies more',
    { eu: { mode: 'deny', paths: ['legal', 'kv'] }, ap: DENY },
    'filtered',
  ],
  [
    'kept, if the successor denies less',
    { eu: DENY, ap: { mode: 'deny', paths: ['legal', 'kv'] } },
    undefined,
  ],
  [
    'lost, if the successor is allowed less',
    { eu: ALLOW, ap: { mode: 'allow', paths: ['kv', 'legal'] } },
    'filtered',
  ],
  [
    'kept, if the successor is allowed more',
    { eu: { mode: 'allow', paths: ['kv', 'legal'] }, ap: ALLOW },
    undefined,
  ],
  [
    'lost, if the successor denies paths and the other secondary is allowed paths',
    { eu: DENY, ap: { mode: 'allow', paths: ['legal/'] } },
    'filtered',
  ],
  ['kept, if the filter of the successor denies nothing', { eu: { mode: 'deny', paths: [] } }, undefined],
])('data that filters withhold is lost or kept by a forced promotion: %s', (_how, filters, loss) => {
  expect(lossByForce('ap', failover(filters), { eu: at('eu', 7), ap: at('ap', 7) })).toBe(loss);
});

test.each<readonly [string, Observation, Readonly<Record<string, Filter>>, string | undefined]>([
  [
    'the secondary with the highest position',
    { eu: at('eu', 7), ap: at('ap', 8), mx: at('mx', 9) },
    {},
    'mx',
  ],
  [
    'the secondary with the highest position, if it is not the last one',
    { eu: at('eu', 7), ap: at('ap', 9), mx: at('mx', 8) },
    {},
    'ap',
  ],
  [
    'an unfiltered secondary, although a filtered one has a higher position',
    { eu: at('eu', 7), ap: at('ap', 8), mx: at('mx', 9) },
    { mx: DENY },
    'ap',
  ],
  [
    'a secondary at the same position whose filter withholds less',
    { eu: at('eu', 7), ap: at('ap', 7), mx: at('mx', 6) },
    { eu: DENY },
    'ap',
  ],
  [
    'none, if the others have lower positions',
    { eu: at('eu', 7), ap: at('ap', 6), mx: at('mx', 5) },
    { eu: DENY },
    undefined,
  ],
  [
    'none, if the others cannot be compared',
    { eu: at('eu', 7), ap: gone(at('ap', 9)), mx: at('mx', 0) },
    {},
    undefined,
  ],
])('the better successor for a forced promotion is %s', (_which, observation, filters, better) => {
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
  [
    'is behind for good if it lacks data of the last primary',
    { us: upTo(8, demoted()), eu: at('eu', 7) },
    true,
  ],
  [
    'is behind for good if it lacks data of another cluster that stepped down',
    { us: at('us', 7), eu: at('eu', 7), ap: upTo(8, demoted()) },
    true,
  ],
  [
    'is not behind for good if it has the same data',
    { us: upTo(8, demoted(), 'same'), eu: at('eu', 7, 'same') },
    false,
  ],
  [
    'is not known to be behind for good if its data is not known',
    { us: upTo(8, demoted()), eu: secondary('eu') },
    false,
  ],
  [
    'is not known to be behind for good if the data of the last primary is not known',
    { us: demoted(), eu: at('eu', 7) },
    false,
  ],
  [
    'is not behind for good if a primary sends it data',
    { us: upTo(8, demoted()), eu: at('eu', 7), ap: primary() },
    false,
  ],
  [
    'is not behind for good if a member that does not answer may send it data',
    { us: upTo(8, demoted()), eu: at('eu', 7), ap: gone(at('ap', 9)) },
    false,
  ],
])('a successor %s', (_why, observation, isBehind) => {
  const wanted = goal({ primary: 'eu', secondaries: { us: null, ap: null }, forced: true, knows });
  expect(isBehindForGood(wanted, { ap: at('ap', 7), ...observation })).toBe(isBehind);
});
