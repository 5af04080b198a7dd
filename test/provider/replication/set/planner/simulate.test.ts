/** The effect of each step on the simulated clusters, compared with its effect on emulated ones. */
import {
  isDangerous,
  stepsOf,
  takesToken,
  type ClusterFacts,
  type PrimaryFacts,
  type StepPlan,
  type Filter,
  type Step,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import { after } from '../../../../../src/provider/replication/set/planner/simulate';
import { DENY, demoted, fresh, heir, primary, secondary } from './observations';

const ALLOW: Filter = { mode: 'allow', paths: ['kv/'] };
const OFF = { mode: 'disabled' };
const us = primary({ eu: 'connected', ap: 'never' }, { eu: null, ap: DENY });
const eu = secondary('eu');

/** A primary whose address is not known before the step is taken. */
function promoted(facts: ClusterFacts): ClusterFacts {
  const { clusterId, secondaries, filters, hasWritesOf } = facts as PrimaryFacts;
  return { mode: 'primary', clusterId, secondaries, filters, ...(hasWritesOf && { hasWritesOf }) };
}

test.each<readonly [Step, Observation, Readonly<Record<string, unknown>>, dangerous: boolean]>([
  [{ kind: 'enable_primary', cluster: 'us' }, { us: fresh }, { us: promoted(primary({}, {}, 'new')) }, false],
  [
    { kind: 'demote', cluster: 'us', successor: 'eu', forced: false },
    { us, eu },
    { us: demoted(), eu: { ...eu, connected: false } },
    true,
  ],
  [
    { kind: 'promote', cluster: 'eu', predecessors: [], forced: false },
    { us, eu },
    { us, eu: promoted(heir([])) },
    true,
  ],
  [
    { kind: 'promote', cluster: 'eu', predecessors: ['us'], forced: true },
    { us, eu },
    { us, eu: promoted(primary()) },
    true,
  ],
  [{ kind: 'leave', cluster: 'eu' }, { us, eu }, { us, eu: OFF }, true],
  [{ kind: 'disable_primary', cluster: 'us' }, { us, eu }, { us: OFF, eu }, true],
  [
    { kind: 'set_filter', cluster: 'us', id: 'eu', filter: ALLOW },
    { us, eu },
    { us: primary({ eu: 'connected', ap: 'never' }, { eu: ALLOW, ap: DENY }), eu },
    false,
  ],
  [
    { kind: 'forget', cluster: 'us', id: 'ap' },
    { us, eu },
    { us: primary({ eu: 'connected' }, { eu: null, ap: null }), eu },
    false,
  ],
  [
    { kind: 'redirect', cluster: 'ap', primary: 'us', id: 'ap', address: 'us:8201' },
    { us, ap: secondary('ap') },
    { us: primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: DENY }), ap: secondary('ap') },
    false,
  ],
  [
    { kind: 'promote', cluster: 'eu', predecessors: [], forced: false },
    { us: demoted(), eu, ap: secondary('ap', 'set-2'), mx: primary() },
    { us: demoted(), eu: promoted(heir(['us'])), ap: secondary('ap', 'set-2'), mx: primary() },
    true,
  ],
  [
    { kind: 'demote', cluster: 'us', successor: 'eu', forced: false },
    { us: { ...us, self: { id: 'id-us' } } },
    { us: { ...demoted(), self: { id: 'id-us' } } },
    true,
  ],
  [
    { kind: 'follow', cluster: 'eu', primary: 'us', id: 'ap', filter: null, mayLose: false },
    { us, eu: { ...eu, self: { id: 'id-eu' } } },
    {
      us: primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: null }),
      eu: { ...secondary('ap'), self: { id: 'id-eu' } },
    },
    false,
  ],
  [
    { kind: 'join', cluster: 'mx', primary: 'us', id: 'eu', filter: null },
    { us, mx: { ...fresh, self: { id: 'id-mx' } } },
    { us, mx: { ...secondary('eu'), self: { id: 'id-mx' } } },
    true,
  ],
  [
    { kind: 'join', cluster: 'mx', primary: 'us', id: 'mx-1', filter: ALLOW },
    { us, eu, mx: fresh },
    {
      us: primary(
        { eu: 'connected', ap: 'never', 'mx-1': 'connected' },
        { eu: null, ap: DENY, 'mx-1': ALLOW },
      ),
      eu,
      mx: secondary('mx-1'),
    },
    true,
  ],
  [
    { kind: 'follow', cluster: 'eu', primary: 'us', id: 'ap', filter: null, mayLose: false },
    { us, eu: secondary('eu'), europe: secondary('eu'), mx: secondary('eu', 'set-2'), jp: demoted() },
    {
      us: primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: null }),
      eu: secondary('ap'),
      europe: secondary('ap'),
      mx: secondary('eu', 'set-2'),
      jp: demoted(),
    },
    false,
  ],
  [
    { kind: 'follow', cluster: 'eu', primary: 'us', id: 'eu', filter: null, mayLose: true },
    { us, eu: demoted(), jp: demoted() },
    { us, eu, jp: demoted() },
    true,
  ],
])('the step %j has its effect on the simulated clusters', (step, before, then, dangerous) => {
  expect(after(step, before)).toEqual(then);
  expect(isDangerous(step)).toBe(dangerous);
  expect(takesToken(step)).toBe(['join', 'follow'].includes(step.kind));
});

test('a plan that repeats its steps without an end is an error', () => {
  let asked = 0;
  const stepPlan: StepPlan = {
    members: ['us', 'eu'],
    watched: [],
    ids: ['eu'],
    next: () => [{ kind: 'set_filter', cluster: 'us', id: String((asked += 1)), filter: null }],
    needs: () => [],
    ownIds: () => [],
    refusals: () => [],
    back: () => undefined,
    advice: () => undefined,
    comparesProgress: false,
  };
  expect(() => stepsOf(stepPlan, { us })).toThrow('a plan for us, eu does not come to an end');
  expect(asked).toBe(30);
});
