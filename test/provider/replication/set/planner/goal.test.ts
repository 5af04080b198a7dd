import { receivesMount, sameFilter, type Filter } from '../../../../../src/provider/replication/set/planner';
import {
  formerIds,
  formerMembers,
  membersOf,
  withholds,
} from '../../../../../src/provider/replication/set/planner/goal';
import { DENY, goal } from './observations';

const ALLOW: Filter = { mode: 'allow', paths: ['legal'] };

test.each<readonly [Filter | null, string, boolean]>([
  [null, 'legal/', true],
  [DENY, 'legal/', false],
  [DENY, 'legal/kv/', false],
  [DENY, 'legality/', true],
  [DENY, 'team/legal/', true],
  [ALLOW, 'legal/', true],
  [ALLOW, '/legal', true],
  [ALLOW, 'kv/', false],
  [{ mode: 'allow', paths: ['kv/', 'legal/'] }, 'legal/', true],
  [{ mode: 'allow', paths: [] }, 'legal/', false],
])('a secondary with the filter %j receives the mount %s: %s', (filter, mount, through) => {
  expect(receivesMount(filter, mount)).toBe(through);
});

test.each<readonly [Filter | null | undefined, boolean]>([
  [undefined, false],
  [null, false],
  [{ mode: 'deny', paths: [] }, false],
  [DENY, true],
  [ALLOW, true],
  [{ mode: 'allow', paths: [] }, true],
])('the filter %j withholds something: %s', (filter, expected) => {
  expect(withholds(filter)).toBe(expected);
});

test.each<readonly [Filter | null, Filter | null, boolean]>([
  [null, null, true],
  [null, DENY, false],
  [DENY, null, false],
  [DENY, { mode: 'deny', paths: ['legal'] }, true],
  [DENY, { mode: 'deny', paths: ['kv/'] }, false],
  [DENY, ALLOW, false],
])('the filters %j and %j are the same: %s', (one, other, same) => {
  expect(sameFilter(one, other)).toBe(same);
});

test('the goal knows the members of a set, its former members, and the ids that are no longer used', () => {
  const wanted = { primary: 'eu', secondaries: { us: null, ap: null }, ids: { ap: 'ap-2' } };
  const changed = goal({ ...wanted, knows: ['us', 'us', 'ap', 'mx'] });
  expect(membersOf(changed)).toEqual(['eu', 'us', 'ap', 'mx']);
  expect(formerMembers(changed)).toEqual(['mx']);
  expect(formerIds(changed)).toEqual(['ap', 'mx']);
  expect([formerMembers(goal(wanted)), formerIds(goal(wanted))]).toEqual([[], []]);
});
