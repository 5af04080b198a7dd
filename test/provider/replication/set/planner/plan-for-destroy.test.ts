/** The end of a replication set. */
import {
  planForDestroy,
  inWords,
  stepsOf,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import { DENY, demoted, fresh, gone, primary, secondary, SET } from './observations';

const known = { primary: 'us', clusterId: SET, ids: { eu: 'eu', ap: 'ap' }, filters: {} };
const us = primary({ eu: 'connected', ap: 'connected' });

/** The texts of the steps. */
function plan(observation: Observation, abandoned: readonly string[] = []): readonly string[] {
  return stepsOf(planForDestroy(known, abandoned), observation).map(inWords);
}

const LEAVE = (name: string) => `${name}: leave the replication set (keeps its data)`;
const FORGET = (id: string) => `us: revoke secondary "${id}", and remove its paths filter`;
const END = 'us: end the replication set (keeps its data)';

test('the secondaries leave in a destroy, the primary forgets them, and then the primary ends the set', () => {
  expect(plan({ us, eu: secondary('eu'), ap: secondary('ap') })).toEqual([
    LEAVE('eu'),
    LEAVE('ap'),
    FORGET('eu'),
    FORGET('ap'),
    END,
  ]);
});

test.each<readonly [string, Observation, readonly string[]]>([
  [
    'after one secondary has left',
    { us, eu: fresh, ap: secondary('ap') },
    [LEAVE('ap'), FORGET('eu'), FORGET('ap'), END],
  ],
  [
    'after the primary has forgotten one secondary',
    { us: primary({ ap: 'connected' }), eu: fresh, ap: fresh },
    [FORGET('ap'), END],
  ],
  [
    'with a filter that a crash left behind',
    { us: primary({}, { eu: DENY }), eu: fresh, ap: fresh },
    [FORGET('eu'), END],
  ],
  ['without steps at its end', { us: fresh, eu: fresh, ap: fresh }, []],
])('a destroy continues %s', (_when, observation, steps) => {
  expect(plan(observation)).toEqual(steps);
});

test('earlier ids of members are forgotten, unless another secondary is connected with them', () => {
  const before = { ...known, leftIds: ['old'] };
  const steps = (observation: Observation) => stepsOf(planForDestroy(before, []), observation).map(inWords);
  expect(steps({ us: primary({ old: 'disconnected' }), eu: fresh, ap: fresh })).toEqual([FORGET('old'), END]);
  const connected = { us: primary({ old: 'connected' }), eu: fresh, ap: fresh };
  expect(planForDestroy(before, []).refusals(connected)).toMatchObject([
    { summary: expect.stringContaining('would lose their primary: "old"') as string },
  ]);
});

test('clusters of another set are not changed, in whatever mode they are', () => {
  expect(plan({ us, eu: secondary('eu', 'set-2'), ap: primary({}, {}, 'set-2') })).toEqual([
    FORGET('eu'),
    FORGET('ap'),
    END,
  ]);
  expect(plan({ us: primary({ eu: 'connected' }, {}, 'set-2'), eu: fresh, ap: fresh })).toEqual([]);
});

test('a primary that has stepped down leaves', () => {
  expect(plan({ us: demoted(), eu: fresh, ap: fresh })).toEqual([LEAVE('us')]);
});

test('the plan waits for a cluster that does not answer, unless it is abandoned', () => {
  const observation = { us, eu: gone(secondary('eu')), ap: secondary('ap') };
  expect(plan(observation)).toEqual([LEAVE('eu'), LEAVE('ap'), FORGET('eu'), FORGET('ap'), END]);
  expect(plan(observation, ['eu'])).toEqual([LEAVE('ap'), FORGET('eu'), FORGET('ap'), END]);
  expect(plan({ ...observation, eu: secondary('eu') }, ['eu'])).toEqual(plan(observation));
});

test('the first step needs all members that may still be in the set and are not abandoned', () => {
  const needs = (observation: Observation, abandoned: readonly string[] = []) =>
    planForDestroy(known, abandoned).needs({ kind: 'leave', cluster: 'eu' }, observation);
  expect(needs({ us, eu: secondary('eu'), ap: gone(secondary('ap')) })).toEqual(['us', 'eu', 'ap']);
  expect(needs({ us, eu: secondary('eu'), ap: gone(secondary('ap')) }, ['ap'])).toEqual(['us', 'eu']);
  expect(needs({ us, eu: fresh, ap: gone(fresh) })).toEqual(['us']);
  expect(needs({ us, eu: secondary('eu', 'set-2') })).toEqual(['us', 'ap']);
});

test('a former primary whose successor has taken over ends its part of the set, and the plan waits for it', () => {
  const stepPlan = planForDestroy({ ...known, ids: {}, lost: ['ap'] }, []);
  const observation = { us: primary(), ap: primary({ eu: 'connected' }, {}, SET) };
  expect(stepPlan.members).toEqual(['us', 'ap']);
  expect(stepPlan.refusals(observation)).toMatchObject([
    { summary: expect.stringContaining('"ap" has secondaries') as string },
  ]);
  const alone = { us: primary(), ap: primary() };
  expect(stepsOf(stepPlan, alone).map(inWords)).toEqual([END, END.replace('us', 'ap')]);
  expect(stepPlan.needs({ kind: 'disable_primary', cluster: 'us' }, { us, ap: gone(primary()) })).toContain(
    'ap',
  );
});

test('the plan of a destroy has the members and their ids, no way back and no advice', () => {
  const stepPlan = planForDestroy({ ...known, ids: { us: 'us', eu: 'eu-1' } }, []);
  expect(stepPlan.members).toEqual(['us', 'eu']);
  expect(stepPlan.ids).toEqual(['us', 'eu-1']);
  expect([stepPlan.back({ us }), stepPlan.advice({ us })]).toEqual([undefined, undefined]);
});
