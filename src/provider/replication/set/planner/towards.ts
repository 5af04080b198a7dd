import { back, wayOut } from './back';
import type { Course } from './course';
import { factsOf, type PrimaryFacts, type World } from './facts';
import { formerIds, formerMembers, membersOf, watchedBy, type Goal } from './goal';
import { clustersFor, followStep, forgetStep, promoteStep, redirectStep, secondaryStep } from './moves';
import { refusals } from './checks';
import { ownIds } from './cut-off';
import { hasSteppedDown, isAttached, isSameSecondary, presentPrimary, setId, standsAlone } from './relations';
import type { Step } from './steps';
import { freeIds } from './taken-ids';

/** The course towards a wanted set. */
export function towards(goal: Goal): Course {
  const { wanted, known } = goal;
  const present = (world: World) => (known ? ownIds(known, world) : []);
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
    next: (world) => nextSteps(goal, world),
    needs: (step) => clustersFor(step, goal),
    ownIds: present,
    refusals: (world, own = new Set()) => refusals(goal, world, new Set([...own, ...present(world)])),
    back: (world) => back(goal, world),
    advice: (world) => wayOut(goal, world),
  };
}

/** First the primary, since everything else is done with it. */
function nextSteps(goal: Goal, world: World): readonly Step[] {
  const { primary } = goal.wanted;
  const towardsPrimary = primaryStep(goal, world);
  if (towardsPrimary) return [towardsPrimary];
  const facts = factsOf(world, primary);
  if (facts.mode !== 'primary' || presentPrimary(goal, world) !== primary) return [];

  const secondaries = Object.entries(goal.wanted.secondaries);
  const leaving = formerMembers(goal).flatMap((name) => leaveStep(goal, world, name) ?? []);
  const usedBy = [...secondaries.map(([name]) => name), ...leaving.map(({ cluster }) => cluster)];
  const usedIds = usedBy.map((name) => {
    const each = factsOf(world, name);
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
        secondaryStep(name, wanted, primary, world, goal.wanted.forced) ??
        redirectStep(name, goal, world) ??
        [],
    ),
  ];
}

function primaryStep(goal: Goal, world: World): Step | undefined {
  const { wanted } = goal;
  const cluster = wanted.primary;
  const facts = factsOf(world, cluster);
  if (standsAlone(facts)) return { kind: 'enable_primary', cluster };
  if (facts.mode !== 'secondary') return undefined;
  const present = presentPrimary(goal, world);
  if (present === undefined) return promoteStep(goal, world);
  const primary = world[present] as PrimaryFacts;
  if (wanted.forced && primary.unreachable !== undefined) return promoteStep(goal, world);
  if (!isAttached(facts, primary)) {
    return followStep(cluster, { id: facts.secondaryId || cluster, filter: null }, present, world);
  }
  const demote: Step = { kind: 'demote', cluster: present, successor: cluster, forced: wanted.forced };
  return stragglerStep(goal, present, world) ?? demote;
}

/** A cluster that stepped down earlier follows the current primary first: later, it could not be determined that it only lags. */
function stragglerStep({ wanted }: Goal, present: string, world: World): Step | undefined {
  if (wanted.forced) return undefined;
  const straggler = Object.entries(wanted.secondaries).find(([name]) => hasSteppedDown(factsOf(world, name)));
  return straggler && followStep(...straggler, present, world);
}

/** A cluster that now belongs to another set, or has been renamed, is left alone. */
function leaveStep(goal: Goal, world: World, cluster: string): Step | undefined {
  const facts = factsOf(world, cluster);
  const lost = facts.mode === 'primary' && facts.unreachable !== undefined;
  if (facts.mode !== 'secondary' && !lost) return undefined;
  const belongs = [setId(goal, world), goal.known!.clusterId].includes(facts.clusterId);
  // An abandoned primary that has stepped down since may still have writes of its own: it can
  // follow later.
  const isOut = facts.unreachable !== undefined || hasSteppedDown(facts);
  const gone = isOut && goal.wanted.abandoned.includes(cluster);
  const renamed = Object.keys(goal.wanted.secondaries).some((name) =>
    isSameSecondary(facts, factsOf(world, name)),
  );
  return belongs && !gone && !renamed ? { kind: 'leave', cluster } : undefined;
}
