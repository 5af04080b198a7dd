import type { StepPlan } from './step-plan';
import { ownIds, refusalsOfEnding } from './unlisted-secondaries';
import { factsOf, type ClusterFacts, type PrimaryFacts, type Observation } from './facts';
import { knownMembers, watchedOf, type KnownSet } from './goal';
import { forgetStep } from './moves';
import type { Step } from './steps';
import { freeIds } from './taken-ids';

/**
 * Returns the plan for a destroy: secondaries leave first, then the primary forgets them and ends
 * the set.
 */
export function planForDestroy(known: KnownSet, abandoned: readonly string[]): StepPlan {
  const members = membersOf(known);
  // After a switchover by someone else, members have ids that are not in the state.
  const present = (observation: Observation) => [
    ...ownIds(known, observation),
    ...members.flatMap((name) => {
      const facts = observation[name];
      return facts?.mode === 'secondary' && facts.clusterId === known.clusterId ? [facts.secondaryId] : [];
    }),
  ];
  return {
    members,
    watched: watchedOf(members, abandoned, known),
    ids: [...Object.values(known.ids), ...(known.leftIds ?? [])],
    comparesProgress: false,
    next: (observation) => nextSteps(known, members.filter(isLeft(abandoned, observation)), observation),
    needs: (_, observation) => membersToEnd(known, abandoned, observation),
    ownIds: present,
    refusals: (observation, own = new Set()) =>
      refusalsOfEnding(known, new Set([...own, ...present(observation)]), observation),
    back: () => undefined,
    advice: () => undefined,
  };
}

/**
 * Returns the members and the lost primaries. A lost primary may still be a primary although
 * another cluster has taken over, so it has to end its part of the set as well.
 */
function membersOf(known: KnownSet): readonly string[] {
  return [...knownMembers(known), ...(known.lost ?? [])];
}

/**
 * Returns the clusters that still belong to the set, without the abandoned ones. All of them have
 * to answer before the first one leaves, so that the destroy does not stop in the middle.
 */
function membersToEnd(
  known: KnownSet,
  abandoned: readonly string[],
  observation: Observation,
): readonly string[] {
  return membersOf(known).filter(
    (name) => !abandoned.includes(name) && mayBelong(factsOf(observation, name)),
  );

  function mayBelong(facts: ClusterFacts): boolean {
    return 'clusterId' in facts ? facts.clusterId === known.clusterId : facts.mode === 'unknown';
  }
}

/** Returns a test for the clusters that take part: abandoned clusters do so only if they answer. */
function isLeft(abandoned: readonly string[], observation: Observation): (name: string) => boolean {
  return (name) => factsOf(observation, name).unreachable === undefined || !abandoned.includes(name);
}

function nextSteps(known: KnownSet, members: readonly string[], observation: Observation): readonly Step[] {
  const leave = members.filter((name) => belongs(name, 'secondary'));
  if (leave.length > 0) return leave.map((cluster) => ({ kind: 'leave', cluster }));
  return members.filter((name) => belongs(name, 'primary')).flatMap(endPrimary);

  /**
   * Whether a cluster has a mode in this set. A cluster that now belongs to another set is not
   * changed.
   */
  function belongs(name: string, mode: 'primary' | 'secondary'): boolean {
    const facts = factsOf(observation, name);
    return facts.mode === mode && facts.clusterId === known.clusterId;
  }

  function endPrimary(cluster: string): readonly Step[] {
    const facts = observation[cluster] as PrimaryFacts;
    const own = new Set([...Object.values(known.ids), ...freeIds(known, facts)]);
    const forget = [...own].flatMap((id) => forgetStep(cluster, facts, id) ?? []);
    return forget.length > 0 ? forget : [{ kind: 'disable_primary', cluster }];
  }
}
