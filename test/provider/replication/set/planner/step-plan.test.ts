/** The members of a StepPlan, the clusters that its steps need, and its advice. */
import { planFor, type Step, type Observation } from '../../../../../src/provider/replication/set/planner';
import { promoteStep, secondaryStep } from '../../../../../src/provider/replication/set/planner/moves';
import { cutOff, DENY, demoted, fresh, goal, gone, primary, secondary, used } from './observations';
import { renderPhrase } from '../../../../../src/model/messages';

const knows = ['us', 'eu'] as const;
const pair = goal({ primary: 'us', secondaries: { eu: null }, knows });
const swapped = goal({ primary: 'eu', secondaries: { us: null }, knows });

test('a plan has its members, and the ids whose filters it has to read', () => {
  const stepPlan = planFor(
    goal({
      primary: 'us',
      secondaries: { eu: null, mx: null },
      ids: { eu: 'eu-2' },
      knows: ['us', 'eu', 'ap'],
    }),
  );
  expect(stepPlan.members).toEqual(['us', 'eu', 'mx', 'ap']);
  expect(stepPlan.ids).toEqual(['eu-2', 'mx', 'eu', 'ap']);
  expect(planFor(goal({ primary: 'us' })).ids).toEqual([]);
});

test.each<readonly [Step, readonly string[]]>([
  [{ kind: 'enable_primary', cluster: 'us' }, ['us', 'eu']],
  [{ kind: 'promote', cluster: 'us', predecessors: [], forced: false }, ['us', 'eu']],
  [{ kind: 'promote', cluster: 'us', predecessors: [], forced: true }, ['us']],
  [{ kind: 'demote', cluster: 'us', successor: 'eu', forced: false }, ['us', 'eu']],
  [{ kind: 'demote', cluster: 'us', successor: 'eu', forced: true }, ['us', 'eu']],
  [{ kind: 'demote', cluster: 'old', successor: 'eu', forced: true }, ['old', 'eu']],
  [{ kind: 'join', cluster: 'eu', primary: 'us', id: 'eu', filter: null }, ['eu', 'us']],
  [{ kind: 'follow', cluster: 'eu', primary: 'us', id: 'eu', filter: null, mayLose: false }, ['eu', 'us']],
  [{ kind: 'set_filter', cluster: 'us', id: 'eu', filter: null }, ['us']],
  [{ kind: 'forget', cluster: 'us', id: 'eu' }, ['us']],
  [{ kind: 'leave', cluster: 'eu' }, ['eu']],
  [{ kind: 'disable_primary', cluster: 'us' }, ['us']],
])('the clusters that have to answer for %j', (step, clusters) => {
  const stepPlan = planFor(
    goal({ primary: 'us', secondaries: { eu: null }, abandoned: ['ap'], knows: ['us', 'ap'] }),
  );
  expect(stepPlan.needs(step, {})).toEqual(clusters);
});

const ADVICE =
  'No cluster is the primary now: nothing can be written. To restore one at once, set primary back to "us" and apply: ' +
  'it becomes the primary again, and nothing is lost. If the writes that "eu" lacks may be lost, set force_promotion to "eu".';

test.each<readonly [string, ReturnType<typeof goal>, Observation, string | undefined]>([
  ['a switchover without a primary', swapped, { us: demoted(), eu: secondary('eu') }, ADVICE],
  [
    'a primary that is unreachable',
    swapped,
    { us: demoted(), eu: gone(primary()) },
    ADVICE.replace('No cluster', 'No cluster that answers'),
  ],
  [
    'a last primary that was restored as a secondary, and may lack writes',
    swapped,
    { us: cutOff('us'), eu: cutOff('eu') },
    'No cluster is the primary now: nothing can be written. If the writes that "eu" lacks may be lost, set force_promotion to "eu".',
  ],
  ['a primary that answers', swapped, { us: demoted(), eu: primary() }, undefined],
  ['a last primary that left', swapped, { us: fresh, eu: secondary('eu') }, undefined],
  ['no change of the primary', pair, { us: demoted(), eu: secondary('eu') }, undefined],
  ['creation', goal({ primary: 'us' }), { us: demoted() }, undefined],
])('the advice of a plan is the right one for %s', (_when, wanted, observation, advice) => {
  const given = planFor(wanted).advice(observation);
  expect(given && renderPhrase(given)).toBe(advice);
});

describe('a plan has no next step', () => {
  test.each<readonly [string, Observation]>([
    ['on a primary that cannot replicate', { us: { mode: 'unsupported' }, eu: fresh }],
    [
      'where the address leads to a secondary of disaster recovery',
      { us: { mode: 'dr_secondary' }, eu: fresh },
    ],
    ['while another one has taken over', { us: gone(primary()), eu: primary() }],
  ])('%s', (_where, observation) => {
    expect(planFor(pair).next(observation)).toEqual([]);
  });
});

test('a promotion names the clusters whose writes it needs, and the cluster that is promoted if it fails', () => {
  const observation = { us: demoted(), eu: secondary('eu') };
  expect(promoteStep(swapped, observation)).toEqual({
    kind: 'promote',
    cluster: 'eu',
    predecessors: ['us'],
    forced: false,
    fallback: 'us',
  });
  expect(promoteStep(swapped, { ...observation, us: fresh })).toEqual({
    kind: 'promote',
    cluster: 'eu',
    predecessors: ['us'],
    forced: false,
  });
  expect(promoteStep(goal({ primary: 'eu', secondaries: { us: null } }), observation).predecessors).toEqual([
    'us',
  ]);
  expect(promoteStep(goal({ primary: 'eu' }), observation).predecessors).toEqual([]);
});

test('the next step of a secondary depends on its facts', () => {
  const us = primary({ eu: 'connected' }, { eu: DENY });
  const needed = (eu: Observation[string], filters = us) =>
    secondaryStep('eu', { id: 'eu', filter: null, dataLoss: 'unconfirmed' }, 'us', { us: filters, eu: eu });
  expect(needed(fresh)).toEqual({ kind: 'join', cluster: 'eu', primary: 'us', id: 'eu', filter: null });
  expect(needed({ mode: 'unknown' })).toEqual(needed(fresh));
  expect(needed({ mode: 'unsupported' })).toBeUndefined();
  expect(needed(primary())).toBeUndefined();
  expect(needed(secondary('eu'))).toEqual({ kind: 'set_filter', cluster: 'us', id: 'eu', filter: null });
  expect(needed(secondary('eu'), primary({ eu: 'connected' }, {}))).toBeUndefined();
  expect(needed(secondary('eu'), primary({ eu: 'connected' }, { eu: null }))).toBeUndefined();
});

test('a switchover waits for a primary that does not answer, unless it is forced', () => {
  const observation = { us: gone(primary({ eu: 'connected' })), eu: secondary('eu') };
  const forced = goal({ primary: 'eu', secondaries: { us: null }, forced: true, confirmed: ['us'], knows });
  expect(planFor(swapped).next(observation)).toEqual([
    { kind: 'demote', cluster: 'us', successor: 'eu', forced: false },
  ]);
  expect(planFor(forced).next(observation)).toMatchObject([{ kind: 'promote', cluster: 'eu', forced: true }]);
  expect(planFor(forced).next({ ...observation, us: primary({ eu: 'connected' }) })).toEqual([
    { kind: 'demote', cluster: 'us', successor: 'eu', forced: true },
  ]);
});

test('a forced switchover does not first make a cluster follow that stepped down earlier', () => {
  const observation = { us: demoted(), eu: primary({ ap: 'connected' }), ap: secondary('ap') };
  const wanted = { primary: 'ap', secondaries: { us: null, eu: null }, knows: ['eu', 'us', 'ap'] } as const;
  expect(planFor(goal(wanted)).next(observation)).toMatchObject([{ kind: 'follow', cluster: 'us' }]);
  expect(planFor(goal({ ...wanted, forced: true })).next(observation)).toMatchObject([
    { kind: 'demote', cluster: 'eu' },
  ]);
});

test('former members of this set leave, unless they are abandoned or have another name', () => {
  const us = primary({ eu: 'connected', ap: 'connected' });
  const leaving = (observation: Observation, abandoned: readonly string[] = [], secondaries = {}) =>
    planFor(goal({ primary: 'us', secondaries, abandoned, knows: ['us', 'eu'] }))
      .next({ us, ...observation })
      .map(({ kind, cluster }) => `${kind} ${cluster}`);
  expect(leaving({ eu: secondary('eu') })).toEqual(['leave eu']);
  expect(leaving({ eu: gone(secondary('eu')) })).toEqual(['leave eu']);
  expect(leaving({ eu: gone(secondary('eu')) }, ['eu'])).toEqual(['forget us']);
  expect(leaving({ eu: secondary('eu') }, ['eu'])).toEqual(['leave eu']);
  // It may have its own writes, and can still follow with them.
  expect(leaving({ eu: demoted() }, ['eu'])).toEqual(['forget us']);
  expect(leaving({ eu: demoted() })).toEqual(['leave eu', 'forget us']);
  expect(leaving({ eu: used })).toEqual(['forget us']);
  expect(leaving({ eu: secondary('eu', 'set-2') })).toEqual(['forget us']);
  expect(leaving({ eu: gone(primary()) })).toEqual(['leave eu']);
  expect(leaving({ eu: gone(primary({}, {}, 'set-2')) })).toEqual(['forget us']);
  expect(leaving({ eu: primary({}, {}, 'set-2') })).toEqual(['forget us']);
  expect(leaving({ eu: gone(fresh) })).toEqual(['forget us']);
  expect(leaving({ eu: gone(primary()), ap: secondary('ap') }, [], { ap: null })).toEqual(['leave eu']);
});
