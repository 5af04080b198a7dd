/** The way back from a switchover that cannot be completed. */
import {
  inWords,
  possibleSteps,
  stepsOf,
  planFor,
  type Goal,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import { after } from '../../../../../src/provider/replication/set/planner/simulate';
import { cutOff, DENY, demoted, fresh, goal, gone, heir, primary, secondary, used } from './observations';
import { renderPhrase } from '../../../../../src/model/messages';

const ALLOW = { mode: 'allow', paths: ['kv/'] };
const knows = ['us', 'eu', 'ap'] as const;
const swap = { primary: 'eu', secondaries: { us: null, ap: DENY }, knows, filters: { ap: ALLOW } };
const observation = { us: demoted(), eu: cutOff('eu'), ap: cutOff('ap') };

const TAKE_BACK = 'us: become the primary again (keeps its data)';
const EU_AGAIN = 'eu: follow us as its secondary "eu", unfiltered (keeps its data)';
const AP_AGAIN = 'ap: follow us as its secondary "ap", with only kv/ (keeps the rest of its data)';

/** The steps of the way back; undefined if it is impossible. */
function stepsBack(wanted: Goal, present: Observation): readonly string[] | undefined {
  const stepPlan = planFor(wanted).back(present);
  return stepPlan && stepsOf(stepPlan, present).map(inWords);
}

test('the old primary becomes the primary again, and its secondaries follow it with their previous ids and filters', () => {
  const wanted = goal({ ...swap, ids: { ap: 'ap-2' } });
  expect(stepsBack(wanted, observation)).toEqual([TAKE_BACK, EU_AGAIN, AP_AGAIN]);
});

test.each([
  ['after the old primary has become the primary again', heir(['eu', 'ap']), [EU_AGAIN, AP_AGAIN]],
  ['after a token was issued', heir(['eu', 'ap'], { eu: 'never' }), [EU_AGAIN, AP_AGAIN]],
  ['after one secondary follows the old primary again', heir(['ap'], { eu: 'connected' }), [AP_AGAIN]],
  ['without steps at its end', primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: ALLOW }), []],
  [
    'without a step for a filter that was changed',
    primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: DENY }),
    [],
  ],
])('the way back continues %s', (_when, us, rest) => {
  const stepPlan = planFor(goal(swap)).back(observation)!;
  expect(stepsOf(stepPlan, { ...observation, us }).map(inWords)).toEqual(rest);
});

test('the way back joins no cluster that the switchover was to join, and keeps one that was to leave', () => {
  const wanted = goal({ ...swap, secondaries: { us: null, mx: null } });
  expect(stepsBack(wanted, { ...observation, mx: fresh })).toEqual([TAKE_BACK, EU_AGAIN, AP_AGAIN]);
});

test('a cluster that was removed from the set in the meantime is not changed', () => {
  expect(stepsBack(goal(swap), { ...observation, ap: fresh })).toEqual([TAKE_BACK, EU_AGAIN]);
});

test('a cluster that was removed and now holds data does not prevent the way back', () => {
  const stepPlan = planFor(goal(swap)).back({ ...observation, ap: used })!;
  expect(stepPlan.refusals({ ...observation, ap: used })).toEqual([]);
  expect(stepPlan.ids).toEqual(['eu']);
  expect(stepPlan.refusals({ ...observation, eu: primary(), us: primary() })).toHaveLength(1);
});

test('the old primary is promoted again only with the writes of another cluster that has stepped down', () => {
  expect(stepsBack(goal(swap), { ...observation, ap: demoted() })![0]).toBe(
    'us: become the primary, once it has all writes of ap (keeps its data)',
  );
});

describe('a switchover has no way back', () => {
  const forced = goal({ ...swap, forced: true, confirmed: ['us'] });
  test.each<readonly [string, Goal, Observation]>([
    [
      'where the configuration wants the old primary',
      goal({ primary: 'us', secondaries: { eu: null }, knows }),
      observation,
    ],
    [
      'where the old primary is abandoned',
      goal({ ...swap, secondaries: { ap: DENY }, abandoned: ['us'] }),
      observation,
    ],
    ['where a cluster takes over by force', forced, observation],
    ['where the old primary has not stepped down', goal(swap), { ...observation, us: primary() }],
    ['where the old primary follows another primary', goal(swap), { ...observation, us: secondary('us') }],
    ['where the old primary has left the set', goal(swap), { ...observation, us: fresh }],
    ['where somebody has promoted another cluster', goal(swap), { ...observation, ap: primary() }],
  ])('%s', (_where, wanted, present) => {
    expect(planFor(wanted).back(present)).toBeUndefined();
  });
});

test('the way back of a switchover has no way back of its own', () => {
  const back = planFor(goal(swap)).back(observation)!;
  expect(back.back(observation)).toBeUndefined();
});

test('all clusters have to answer before the old primary becomes the primary again, also a cluster that was to join', () => {
  const wanted = goal({ ...swap, secondaries: { us: null, mx: null } });
  const stepPlan = planFor(wanted).back(observation)!;
  const [promotion, following] = stepsOf(stepPlan, observation);
  expect(stepPlan.needs(promotion!, {})).toEqual(['eu', 'us', 'mx', 'ap']);
  expect(stepPlan.needs(following!, {})).toEqual(['eu', 'us']);
});

test('the advice after an incomplete way back names the primary, or the next action', () => {
  const stepPlan = planFor(goal(swap)).back(observation)!;
  expect(renderPhrase(stepPlan.advice({ ...observation, ap: gone(cutOff('ap')) })!)).toContain(
    'set primary back to "us" and apply',
  );
  expect(stepPlan.advice({ ...observation, us: primary() })).toBe(
    '"us" is the primary again and accepts writes: "eu" could not take over.',
  );
  expect(stepPlan.advice({ ...observation, us: fresh })).toBeUndefined();
});

test('a switchover asks for the rights for its way back as well', () => {
  const start = {
    us: primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: DENY }),
    eu: secondary('eu'),
    ap: secondary('ap'),
  };
  const stepPlan = planFor(goal(swap));
  expect(possibleSteps(stepPlan, start).map(inWords)).toEqual([
    ...stepsOf(stepPlan, start).slice(0, 2).map(inWords),
    TAKE_BACK,
    EU_AGAIN,
    AP_AGAIN,
    ...stepsOf(stepPlan, start).slice(2).map(inWords),
  ]);
});

test('the old and the new set can be reached from every state of the way back', () => {
  const before = goal({ primary: 'us', secondaries: { eu: null, ap: ALLOW }, knows, filters: { ap: ALLOW } });
  const stepPlan = planFor(goal(swap)).back(observation)!;
  let present: Observation = observation;
  const observations = [
    present,
    ...stepsOf(stepPlan, observation).map((step) => (present = after(step, present))),
  ];
  for (const each of observations) {
    for (const wanted of [goal(swap), before]) {
      const on = planFor(wanted);
      expect(on.refusals(each)).toEqual([]);
      const end = stepsOf(on, each).reduce<Observation>((now, step) => after(step, now), each);
      expect(end[wanted.wanted.primary]!.mode).toBe('primary');
    }
  }
  expect(observations).toHaveLength(4);
});
