import type { Course } from './course';
import type { PrimaryFacts, World } from './facts';
import { formerIds, formerMembers, membersOf, sameFilter, type Goal, type WantedSecondary } from './goal';
import { refusals } from './refusals';
import { hasSteppedDown, isAttached, isSameSecondary, presentPrimary, setId } from './relations';
import type { Follow, Step } from './steps';
import { quote } from './words';

/** The course towards a wanted set. */
export function towards(goal: Goal): Course {
  const { wanted, known } = goal;
  const members = membersOf(goal).filter((name) => !wanted.abandoned.includes(name));
  return {
    members: membersOf(goal),
    ids: [
      ...new Set([
        ...Object.values(wanted.secondaries).map(({ id }) => id),
        ...Object.values(known?.ids ?? {}),
      ]),
    ],
    next: (world) => nextSteps(goal, world),
    needs: (step) => clustersFor(step, members),
    refusals: (world) => refusals(goal, world),
    advice: (world) => wayBack(goal, world),
  };
}

/** First the primary, since everything else is done with it. */
function nextSteps(goal: Goal, world: World): readonly Step[] {
  const { primary } = goal.wanted;
  const towardsPrimary = primaryStep(goal, world);
  if (towardsPrimary) return [towardsPrimary];
  const facts = world[primary];
  if (facts?.mode !== 'primary' || presentPrimary(goal, world) !== primary) return [];

  const secondaries = Object.entries(goal.wanted.secondaries);
  const leaving = formerMembers(goal).flatMap((name) => leaveStep(goal, world, name) ?? []);
  const usedBy = [...secondaries.map(([name]) => name), ...leaving.map(({ cluster }) => cluster)];
  const usedIds = usedBy.map((name) => {
    const each = world[name];
    return each?.mode === 'secondary' ? each.secondaryId : goal.known?.ids[name];
  });
  const unusedIds = formerIds(goal).filter((id) => !usedIds.includes(id));
  return [
    ...leaving,
    ...unusedIds.flatMap((id) => forgetStep(primary, facts, id) ?? []),
    ...secondaries.flatMap(([name, wanted]) => secondaryStep(name, wanted, primary, world) ?? []),
  ];
}

function primaryStep(goal: Goal, world: World): Step | undefined {
  const { wanted } = goal;
  const cluster = wanted.primary;
  const facts = world[cluster];
  switch (facts?.mode) {
    case 'disabled':
    case 'unknown':
      return { kind: 'enable_primary', cluster };
    case 'secondary': {
      const present = presentPrimary(goal, world);
      const primary = present === undefined ? undefined : world[present];
      const lost = primary === undefined || (wanted.forced && primary.unreachable !== undefined);
      if (lost || present === undefined || primary.mode !== 'primary') {
        return {
          kind: 'promote',
          cluster,
          predecessors: predecessorsOf(goal, world),
          forced: wanted.forced,
        };
      }
      if (isAttached(facts, primary))
        return (
          stragglerStep(goal, present, world) ?? {
            kind: 'demote',
            cluster: present,
            successor: cluster,
            forced: wanted.forced,
          }
        );
      const id = facts.secondaryId || cluster;
      return followStep(cluster, { id, filter: null }, present, world);
    }
    default:
      return undefined;
  }
}

/** Those whose writes would be lost if they had to follow a primary that lacks them. */
function predecessorsOf({ wanted, known }: Goal, world: World): readonly string[] {
  const steppedDown = Object.keys(wanted.secondaries).filter((name) => hasSteppedDown(world[name]));
  const all = new Set([...(known ? [known.primary] : []), ...steppedDown]);
  return [...all].filter((name) => name !== wanted.primary);
}

/** Who stepped down earlier follows the present primary first: afterwards nobody could tell that it only lags. */
function stragglerStep({ wanted }: Goal, present: string, world: World): Step | undefined {
  if (wanted.forced) return undefined;
  const straggler = Object.entries(wanted.secondaries).find(([name]) => hasSteppedDown(world[name]));
  return straggler && followStep(...straggler, present, world);
}

function secondaryStep(
  name: string,
  { id, filter }: WantedSecondary,
  primary: string,
  world: World,
): Step | undefined {
  const facts = world[name];
  const primaryFacts = world[primary] as PrimaryFacts;
  switch (facts?.mode) {
    case 'disabled':
    case 'unknown':
      return { kind: 'join', cluster: name, primary, id, filter };
    case 'secondary': {
      if (facts.secondaryId !== id || !isAttached(facts, primaryFacts)) {
        return followStep(name, { id, filter }, primary, world);
      }
      const present = primaryFacts.filters[id];
      if (present === undefined || sameFilter(present, filter)) return undefined;
      return { kind: 'set_filter', cluster: primary, id, filter };
    }
    default:
      return undefined;
  }
}

function followStep(
  cluster: string,
  { id, filter }: Pick<WantedSecondary, 'id' | 'filter'>,
  primary: string,
  world: World,
): Follow {
  return { kind: 'follow', cluster, primary, id, filter, wasPrimary: hasSteppedDown(world[cluster]) };
}

/** A cluster that belongs to another set by now is left alone, and so is one that goes by another name now. */
function leaveStep(goal: Goal, world: World, cluster: string): Step | undefined {
  const facts = world[cluster];
  const lost = facts?.mode === 'primary' && facts.unreachable !== undefined;
  if (facts?.mode !== 'secondary' && !lost) return undefined;
  const belongs = [setId(goal, world), goal.known?.clusterId].includes(facts.clusterId);
  const gone = facts.unreachable !== undefined && goal.wanted.abandoned.includes(cluster);
  const renamed =
    facts.mode === 'secondary' &&
    Object.keys(goal.wanted.secondaries).some((name) => isSameSecondary(facts, world[name]));
  return belongs && !gone && !renamed ? { kind: 'leave', cluster } : undefined;
}

/** Also for a filter alone, which a crash may have left behind. */
export function forgetStep(
  cluster: string,
  { secondaries, filters }: PrimaryFacts,
  id: string,
): Step | undefined {
  return Object.hasOwn(secondaries, id) || filters[id] ? { kind: 'forget', cluster, id } : undefined;
}

/**
 * Who becomes a primary must be sure that nobody else is one: before a primary steps down everybody has to answer, so that
 * its successor can take over.
 */
function clustersFor(step: Step, members: readonly string[]): readonly string[] {
  switch (step.kind) {
    case 'enable_primary':
      return members;
    case 'promote':
      return step.forced ? [step.cluster] : members;
    case 'demote':
      return step.forced ? [step.cluster, step.successor] : members;
    case 'join':
    case 'follow':
      return [step.cluster, step.primary];
    default:
      return [step.cluster];
  }
}

/** Nobody has to wait for a successor that does not come up. */
function wayBack({ wanted, known }: Goal, world: World): string | undefined {
  if (!known || known.primary === wanted.primary) return undefined;
  const primaries = Object.values(world).filter(
    ({ mode, unreachable }) => mode === 'primary' && unreachable === undefined,
  );
  if (primaries.length > 0 || world[known.primary]?.mode !== 'secondary') return undefined;
  return (
    'No cluster is the primary now: nothing can be written. To have one again at once, set primary back to ' +
    `${quote(known.primary)} and apply: it becomes the primary again, and nothing is lost.`
  );
}
