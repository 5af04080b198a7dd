/** The way back from a switchover that cannot be ended. */
import {
  inWords,
  possibleSteps,
  stepsOf,
  planFor,
  type ClusterFacts,
  type Goal,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import { after } from '../../../../../src/provider/replication/set/planner/simulate';
import { DENY, demoted, fresh, goal, gone, heir, primary, secondary, used } from './worlds';
import { renderPhrase } from '../../../../../src/model/messages';

const ALLOW = { mode: 'allow', paths: ['kv/'] };
const knows = ['us', 'eu', 'ap'] as const;
const swap = { primary: 'eu', secondaries: { us: null, ap: DENY }, knows, filters: { ap: ALLOW } };
/** Whoever followed a primary that has stepped down is connected to nobody. */
const cutOff = (name: string): ClusterFacts => ({ ...secondary(name), connected: false }) as ClusterFacts;
const world = { us: demoted(), eu: cutOff('eu'), ap: cutOff('ap') };

const TAKE_BACK = 'us: become the primary again (keeps its data)';
const EU_AGAIN = 'eu: follow us as its secondary "eu", unfiltered (keeps its data)';
const AP_AGAIN = 'ap: follow us as its secondary "ap", with only kv/ (keeps the rest of its data)';

/** The steps of the way back; undefined if it is impossible. */
function stepsBack(wanted: Goal, present: Observation): readonly string[] | undefined {
  const course = planFor(wanted).back(present);
  return course && stepsOf(course, present).map(inWords);
}

test('the old primary becomes it again, and its secondaries follow it by the ids and filters that they had', () => {
  const wanted = goal({ ...swap, ids: { ap: 'ap-2' } });
  expect(stepsBack(wanted, world)).toEqual([TAKE_BACK, EU_AGAIN, AP_AGAIN]);
});

test.each([
  ['after it has become the primary', heir(['eu', 'ap']), [EU_AGAIN, AP_AGAIN]],
  ['after a token was issued', heir(['eu', 'ap'], { eu: 'never' }), [EU_AGAIN, AP_AGAIN]],
  ['after one follows it again', heir(['ap'], { eu: 'connected' }), [AP_AGAIN]],
  ['in the end', primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: ALLOW }), []],
  ['and changes no filter', primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: DENY }), []],
])('it goes on %s', (_when, us, rest) => {
  const course = planFor(goal(swap)).back(world)!;
  expect(stepsOf(course, { ...world, us }).map(inWords)).toEqual(rest);
});

test('a cluster that was to join does not, and one that was to leave stays', () => {
  const wanted = goal({ ...swap, secondaries: { us: null, mx: null } });
  expect(stepsBack(wanted, { ...world, mx: fresh })).toEqual([TAKE_BACK, EU_AGAIN, AP_AGAIN]);
});

test('a cluster that was taken out of the set meanwhile is left alone', () => {
  expect(stepsBack(goal(swap), { ...world, ap: fresh })).toEqual([TAKE_BACK, EU_AGAIN]);
});

test('a cluster that was removed and now holds data does not prevent it', () => {
  const course = planFor(goal(swap)).back({ ...world, ap: used })!;
  expect(course.refusals({ ...world, ap: used })).toEqual([]);
  expect(course.ids).toEqual(['eu']);
  expect(course.refusals({ ...world, eu: primary(), us: primary() })).toHaveLength(1);
});

test('another one that has stepped down may have writes: the old primary has to have them', () => {
  expect(stepsBack(goal(swap), { ...world, ap: demoted() })![0]).toBe(
    'us: become the primary, once it has all writes of ap (keeps its data)',
  );
});

describe('there is no way back', () => {
  const forced = goal({ ...swap, forced: true, confirmed: ['us'] });
  test.each<readonly [string, Goal, Observation]>([
    ['where the old primary is wanted', goal({ primary: 'us', secondaries: { eu: null }, knows }), world],
    ['where it is given up', goal({ ...swap, secondaries: { ap: DENY }, abandoned: ['us'] }), world],
    ['where another takes over by force', forced, world],
    ['where it has not stepped down', goal(swap), { ...world, us: primary() }],
    ['where it follows another primary', goal(swap), { ...world, us: secondary('us') }],
    ['where it left the set', goal(swap), { ...world, us: fresh }],
    ['where somebody has promoted another cluster', goal(swap), { ...world, ap: primary() }],
    ['from itself', goal(swap), world],
  ])('%s', (where, wanted, present) => {
    const course = planFor(wanted);
    const back = where === 'from itself' ? course.back(present)!.back(present) : course.back(present);
    expect(back).toBeUndefined();
  });
});

test('all have to answer before the old primary becomes it again, who was to join among them', () => {
  const wanted = goal({ ...swap, secondaries: { us: null, mx: null } });
  const course = planFor(wanted).back(world)!;
  const [promotion, following] = stepsOf(course, world);
  expect(course.needs(promotion!, {})).toEqual(['eu', 'us', 'mx', 'ap']);
  expect(course.needs(following!, {})).toEqual(['eu', 'us']);
});

test('the advice after a way back that ended early names the primary, or the next action', () => {
  const course = planFor(goal(swap)).back(world)!;
  expect(renderPhrase(course.advice({ ...world, ap: gone(cutOff('ap')) })!)).toContain(
    'set primary back to "us" and apply',
  );
  expect(course.advice({ ...world, us: primary() })).toBe(
    '"us" is the primary again and accepts writes: "eu" could not take over.',
  );
  expect(course.advice({ ...world, us: fresh })).toBeUndefined();
});

test('the rights for the way back are among those that a switchover needs', () => {
  const start = {
    us: primary({ eu: 'connected', ap: 'connected' }, { eu: null, ap: DENY }),
    eu: secondary('eu'),
    ap: secondary('ap'),
  };
  const course = planFor(goal(swap));
  expect(possibleSteps(course, start).map(inWords)).toEqual([
    ...stepsOf(course, start).slice(0, 2).map(inWords),
    TAKE_BACK,
    EU_AGAIN,
    AP_AGAIN,
    ...stepsOf(course, start).slice(2).map(inWords),
  ]);
});

test('both sets can be reached from every state of the way back', () => {
  const before = goal({ primary: 'us', secondaries: { eu: null, ap: ALLOW }, knows, filters: { ap: ALLOW } });
  const course = planFor(goal(swap)).back(world)!;
  let present: Observation = world;
  const worlds = [present, ...stepsOf(course, world).map((step) => (present = after(step, present)))];
  for (const each of worlds) {
    for (const wanted of [goal(swap), before]) {
      const on = planFor(wanted);
      expect(on.refusals(each)).toEqual([]);
      const end = stepsOf(on, each).reduce<Observation>((now, step) => after(step, now), each);
      expect(end[wanted.wanted.primary]!.mode).toBe('primary');
    }
  }
  expect(worlds).toHaveLength(4);
});
