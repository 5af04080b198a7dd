/**
 * Makes a plan for every observation of three clusters that the planner treats differently.
 */
import {
  inWords,
  stepsOf,
  planFor,
  type ClusterFacts,
  type Connection,
  type Goal,
  type Promote,
  type Step,
  type Observation,
} from '../../../../../src/provider/replication/set/planner';
import { after, refusalsOnTheWay } from '../../../../../src/provider/replication/set/planner/simulate';
import { DENY, demoted, fresh, goal, gone, primary, secondary, used } from './observations';

const NAMES = ['us', 'eu', 'ap'] as const;
const CONNECTIONS: readonly (Connection | undefined)[] = ['connected', 'never', undefined];

function factsOf(name: string): readonly ClusterFacts[] {
  const others = NAMES.filter((other) => other !== name);
  const primaries = CONNECTIONS.flatMap((one) =>
    CONNECTIONS.map((two) => {
      const known = others.flatMap((other, index) => {
        const connection = [one, two][index];
        return connection ? [[other, connection] as const] : [];
      });
      return primary(Object.fromEntries(known));
    }),
  );
  const following = secondary(name);
  const cutOff = { ...following, connected: false } as ClusterFacts;
  const shared = secondary('shared');
  return [
    fresh,
    used,
    demoted(),
    following,
    cutOff,
    shared,
    secondary(name, 'set-2'),
    gone(following),
    ...primaries,
  ];
}

const WORLDS: readonly Observation[] = factsOf('us').flatMap((us) =>
  factsOf('eu').flatMap((eu) => factsOf('ap').map((ap) => ({ us, eu, ap }))),
);

const GOALS: readonly Goal[] = [
  goal({ primary: 'us', secondaries: { eu: null, ap: DENY } }),
  goal({ primary: 'us', secondaries: { eu: null, ap: DENY }, knows: ['us', 'eu', 'ap'] }),
  goal({ primary: 'us', secondaries: { eu: null }, knows: ['us', 'eu', 'ap'] }),
  goal({ primary: 'eu', secondaries: { us: null, ap: DENY }, knows: ['us', 'eu', 'ap'] }),
  goal({ primary: 'eu', secondaries: { us: null }, confirmed: ['us'], knows: ['us', 'eu', 'ap'] }),
  goal({ primary: 'us', secondaries: { eu: null, ap: null }, confirmed: ['eu', 'ap'], knows: ['us', 'eu'] }),
];

const isPrimary = ({ mode, unreachable }: ClusterFacts) => mode === 'primary' && unreachable === undefined;

/** Returns the harm of a step that must never be taken; undefined for other steps. */
function harm(step: Step, observation: Observation, { wanted, known }: Goal): string | undefined {
  const facts = observation[step.cluster]!;
  const others = NAMES.filter((name) => name !== step.cluster);
  switch (step.kind) {
    case 'enable_primary':
    case 'promote':
      return others.some((name) => isPrimary(observation[name]!)) ? 'a second primary' : undefined;
    case 'join': {
      const { dataLoss } = wanted.secondaries[step.cluster]!;
      if (facts.mode !== 'disabled') return `a cluster that is ${facts.mode} is erased`;
      return dataLoss === 'confirmed' || facts.holds?.length === 0 ? undefined : 'data is erased unconfirmed';
    }
    case 'demote': {
      const successor = observation[step.successor]!;
      return successor.mode === 'secondary' && successor.secondaryId !== '' ? undefined : 'nobody takes over';
    }
    case 'leave':
      return step.cluster === wanted.primary || wanted.secondaries[step.cluster] || !known
        ? 'somebody leaves who is wanted'
        : undefined;
    default:
      return undefined;
  }
}

/** Returns what is wrong with the way back from a promotion that cannot be completed. */
function problemsOnTheWayBack({ fallback }: Promote, start: Observation, wanted: Goal): readonly string[] {
  const back = planFor(wanted).back(start);
  if (fallback === undefined || !back) {
    return fallback === undefined && !back ? [] : [`${fallback} is announced, or goes back, alone`];
  }
  let observation = start;
  const problems: string[] = [];
  for (const step of stepsOf(back, start)) {
    const { cluster, kind } = step;
    const isRival =
      kind === 'promote' && NAMES.some((name) => name !== cluster && isPrimary(observation[name]!));
    if (isRival) problems.push('a second primary');
    if (kind === 'promote' ? cluster !== fallback : kind !== 'follow') problems.push(inWords(step));
    observation = after(step, observation);
  }
  if (observation[fallback]!.mode !== 'primary') problems.push(`${fallback} is no primary`);
  return problems.map((problem) => `on the way back: ${problem}: ${JSON.stringify(start)}`);
}

test('no plan makes two primaries or erases data without a confirmation; each leads to its goal, and has no steps then', () => {
  let plans = 0;
  let waysBack = 0;
  const problems = new Set<string>();
  for (const each of GOALS) {
    const stepPlan = planFor(each);
    for (const start of WORLDS) {
      if (refusalsOnTheWay(stepPlan, start).length > 0) continue;
      plans += 1;
      let observation = start;
      for (const step of stepsOf(stepPlan, start)) {
        const done = harm(step, observation, each);
        if (done) problems.add(`${done}: ${JSON.stringify({ step, observation })}`);
        if (step.kind === 'promote') {
          waysBack += step.fallback === undefined ? 0 : 1;
          for (const problem of problemsOnTheWayBack(step, observation, each)) problems.add(problem);
        }
        observation = after(step, observation);
      }
      const { primary: wanted, secondaries } = each.wanted;
      const stuck = Object.values(start).some(({ unreachable }) => unreachable !== undefined);
      const there = observation[wanted]!.mode === 'primary';
      const follow = Object.keys(secondaries).every((name) => observation[name]!.mode === 'secondary');
      if (!stuck && !(there && follow))
        problems.add(`not reached: ${JSON.stringify({ each, start, observation })}`);
    }
  }
  expect([...problems].slice(0, 5)).toEqual([]);
  expect(WORLDS).toHaveLength(17 ** 3);
  expect(plans).toBeGreaterThan(1_000);
  expect(waysBack).toBeGreaterThan(100);
});
