import { factsOf, type PrimaryFacts, type Observation } from './facts';
import { membersOf, sameFilter, type Goal, type WantedSecondary } from './goal';
import { hasSteppedDown, hasWritesOf, isAttached, isUnattached, lastPrimary, standsAlone } from './relations';
import type { Follow, Promote, Redirect, Step } from './steps';

export function promoteStep(goal: Goal, observation: Observation): Promote {
  const { primary: cluster, forced } = goal.wanted;
  const fallback = lastPrimary(goal, observation);
  return {
    kind: 'promote',
    cluster,
    predecessors: predecessorsOf(goal, observation),
    forced,
    ...(fallback !== undefined && { fallback }),
  };
}

/**
 * Returns the former primaries other than the wanted primary. It needs all their writes, because
 * they lose the writes that it lacks when they follow it.
 */
export function predecessorsOf({ wanted, known }: Goal, observation: Observation): readonly string[] {
  const steppedDown = Object.keys(wanted.secondaries).filter((name) =>
    hasSteppedDown(factsOf(observation, name)),
  );
  const all = new Set([...(known ? [known.primary] : []), ...steppedDown]);
  return [...all].filter((name) => name !== wanted.primary);
}

/** Returns the step that a secondary needs next; `undefined` if it is as wanted. */
export function secondaryStep(
  name: string,
  { id, filter }: WantedSecondary,
  primary: string,
  observation: Observation,
  forced = false,
): Step | undefined {
  const facts = factsOf(observation, name);
  const primaryFacts = observation[primary] as PrimaryFacts;
  if (standsAlone(facts)) return { kind: 'join', cluster: name, primary, id, filter };
  if (facts.mode !== 'secondary') return undefined;
  if (facts.secondaryId !== id || !isAttached(facts, primaryFacts)) {
    return followStep(name, { id, filter }, primary, observation, forced);
  }
  const present = primaryFacts.filters[id];
  if (present === undefined || sameFilter(present, filter)) return undefined;
  return { kind: 'set_filter', cluster: primary, id, filter };
}

/**
 * Returns the step that gives a secondary the configured address of its primary, if it has lost the
 * connection and the primary still gives out another address.
 */
export function redirectStep(
  cluster: string,
  { wanted }: Goal,
  observation: Observation,
): Redirect | undefined {
  const { primary, address } = wanted;
  const [facts, others] = [factsOf(observation, cluster), factsOf(observation, primary)];
  if (address === undefined || facts.mode !== 'secondary' || others.mode !== 'primary') return undefined;
  if (facts.unreachable !== undefined || others.unreachable !== undefined) return undefined;
  const isLost = isAttached(facts, others) && others.secondaries[facts.secondaryId] === 'disconnected';
  if (!isLost || others.clusterAddr === undefined || others.clusterAddr === address) return undefined;
  return { kind: 'redirect', cluster, primary, id: facts.secondaryId, address };
}

export function followStep(
  cluster: string,
  { id, filter }: Pick<WantedSecondary, 'id' | 'filter'>,
  primary: string,
  observation: Observation,
  /** Whether the primary was promoted although it may lack writes. */
  forced = false,
): Follow {
  const [own, others] = [factsOf(observation, cluster), factsOf(observation, primary)];
  const mayLose =
    !hasWritesOf(others, cluster) && (forced || hasSteppedDown(own) || isUnattached(own, others));
  return { kind: 'follow', cluster, primary, id, filter, mayLose };
}

/** Returns the step that forgets an id, even if only its filter is left after a crash. */
export function forgetStep(
  cluster: string,
  { secondaries, filters }: PrimaryFacts,
  id: string,
): Step | undefined {
  return Object.hasOwn(secondaries, id) || filters[id] ? { kind: 'forget', cluster, id } : undefined;
}

/**
 * Returns the clusters that must answer before a step. A cluster may become a primary only if no
 * other cluster is a primary. So all clusters must answer before a primary steps down: otherwise
 * its successor could not take over.
 */
export function clustersFor(step: Step, goal: Goal): readonly string[] {
  const members = membersOf(goal).filter((name) => !goal.wanted.abandoned.includes(name));
  switch (step.kind) {
    case 'enable_primary':
      return members;
    case 'promote':
      return step.forced ? [step.cluster] : members;
    case 'demote':
      return step.forced ? [step.cluster, step.successor] : members;
    case 'join':
    case 'follow':
    case 'redirect':
      return [step.cluster, step.primary];
    default:
      return [step.cluster];
  }
}
