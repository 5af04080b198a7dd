import { back, adviceWithoutPrimary } from './plan-back';
import type { StepPlan } from './step-plan';
import { factsOf, type PrimaryFacts, type Observation } from './facts';
import { formerIds, formerMembers, membersOf, watchedBy, type Goal } from './goal';
import { clustersFor, followStep, forgetStep, promoteStep, redirectStep, secondaryStep } from './moves';
import { refusals } from './checks';
import { ownIds } from './unlisted-secondaries';
import { hasSteppedDown, isAttached, isSameSecondary, presentPrimary, setId, standsAlone } from './relations';
import type { Step } from './steps';
import { freeIds } from './taken-ids';

/** Returns the plan for a wanted set. */
export function planFor(goal: Goal): StepPlan {
  const { wanted, known } = goal;
  const present = (observation: Observation) => (known ? ownIds(known, observation) : []);
  return {
    members: membersOf(goal),
    watched: watchedBy(goal),
    ids: [
      ...new Set([
        ...Object.values(wanted.secondaries).map(({ id }) => id),
        ...Object.values(known?.ids ?? {}),
        ...(known?.leftIds ?? []),
      ]),
    ],
    comparesProgress: wanted.forced,
    next: (observation) => nextSteps(goal, observation),
    needs: (step) => clustersFor(step, goal),
    ownIds: present,
    refusals: (observation, own = new Set()) =>
      refusals(goal, observation, new Set([...own, ...present(observation)])),
    back: (observation) => back(goal, observation),
    advice: (observation) => adviceWithoutPrimary(goal, observation),
  };
}

/**
 * Returns the next steps. A step that makes a cluster the primary comes first, because all others
 * need a primary.
 */
function nextSteps(goal: Goal, observation: Observation): readonly Step[] {
  const { primary } = goal.wanted;
  const towardsPrimary = primaryStep(goal, observation);
  if (towardsPrimary) return [towardsPrimary];
  const facts = factsOf(observation, primary);
  if (facts.mode !== 'primary' || presentPrimary(goal, observation) !== primary) return [];

  const secondaries = Object.entries(goal.wanted.secondaries);
  const leaving = formerMembers(goal).flatMap((name) => leaveStep(goal, observation, name) ?? []);
  const usedBy = [...secondaries.map(([name]) => name), ...leaving.map(({ cluster }) => cluster)];
  const usedIds = usedBy.map((name) => {
    const each = factsOf(observation, name);
    return each.mode === 'secondary' ? each.secondaryId : goal.known?.ids[name];
  });
  const wantedIds = secondaries.map(([, { id }]) => id);
  const left = goal.known ? freeIds(goal.known, facts).filter((id) => !wantedIds.includes(id)) : [];
  const unusedIds = [...new Set([...formerIds(goal), ...left])].filter((id) => !usedIds.includes(id));
  return [
    ...leaving,
    ...unusedIds.flatMap((id) => forgetStep(primary, facts, id) ?? []),
    ...secondaries.flatMap(
      ([name, wanted]) =>
        secondaryStep(name, wanted, primary, observation, goal.wanted.forced) ??
        redirectStep(name, goal, observation) ??
        [],
    ),
  ];
}

function primaryStep(goal: Goal, observation: Observation): Step | undefined {
  const { wanted } = goal;
  const cluster = wanted.primary;
  const facts = factsOf(observation, cluster);
  if (standsAlone(facts)) return { kind: 'enable_primary', cluster };
  if (facts.mode !== 'secondary') return undefined;
  const present = presentPrimary(goal, observation);
  if (present === undefined) return promoteStep(goal, observation);
  const primary = observation[present] as PrimaryFacts;
  if (wanted.forced && primary.unreachable !== undefined) return promoteStep(goal, observation);
  if (!isAttached(facts, primary)) {
    return followStep(cluster, { id: facts.secondaryId || cluster, filter: null }, present, observation);
  }
  const demote: Step = { kind: 'demote', cluster: present, successor: cluster, forced: wanted.forced };
  return stragglerStep(goal, present, observation) ?? demote;
}

/**
 * Returns the step by which a cluster that stepped down follows the present primary before the next
 * switchover. Afterwards it would be unknown whether it has writes of its own or only lags.
 */
function stragglerStep({ wanted }: Goal, present: string, observation: Observation): Step | undefined {
  if (wanted.forced) return undefined;
  const straggler = Object.entries(wanted.secondaries).find(([name]) =>
    hasSteppedDown(factsOf(observation, name)),
  );
  return straggler && followStep(...straggler, present, observation);
}

/**
 * Returns the step by which a former member leaves; `undefined` if it has left, belongs to another
 * set or is a member under another name.
 */
function leaveStep(goal: Goal, observation: Observation, cluster: string): Step | undefined {
  const facts = factsOf(observation, cluster);
  const lost = facts.mode === 'primary' && facts.unreachable !== undefined;
  if (facts.mode !== 'secondary' && !lost) return undefined;
  const belongs = [setId(goal, observation), goal.known!.clusterId].includes(facts.clusterId);
  // An abandoned primary that has stepped down since may have writes of its own. It does not leave,
  // so that it can follow later.
  const isOut = facts.unreachable !== undefined || hasSteppedDown(facts);
  const gone = isOut && goal.wanted.abandoned.includes(cluster);
  const renamed = Object.keys(goal.wanted.secondaries).some((name) =>
    isSameSecondary(facts, factsOf(observation, name)),
  );
  return belongs && !gone && !renamed ? { kind: 'leave', cluster } : undefined;
}
