/** Secondaries that are not in the set and would lose their primary. */
import { or, phrase } from '../../../../model/messages';
import type { Refusal } from './step-plan';
import { factsOf, type PrimaryFacts, type Observation } from './facts';
import { formerIds, type Goal, type KnownSet } from './goal';
import { list, quote, REVOKE_SECONDARY, revokeIds } from './messages';
import { isAttached, primariesOf } from './relations';
import { freeIds, isAnothers, isTaken } from './taken-ids';

/** The known ids of members, without those that other secondaries have now. */
export function ownIds(known: KnownSet, observation: Observation): readonly string[] {
  const { ids, clusterId } = known;
  const primaries = Object.values(observation).filter(
    (facts): facts is PrimaryFacts => facts.mode === 'primary' && facts.clusterId === clusterId,
  );
  const present = Object.entries(ids)
    .filter(([name, id]) => !primaries.some((facts) => isAnothers(id, name, facts, observation)))
    .map(([, id]) => id);
  return [...present, ...primaries.flatMap((facts) => freeIds(known, facts))];
}

/**
 * Returns the secondaries that a switchover would leave without a primary.
 *
 * @param own the ids of members
 */
export function unlistedSecondaries(
  goal: Goal,
  observation: Observation,
  own: ReadonlySet<string>,
): readonly Refusal[] {
  const { wanted } = goal;
  const [present] = primariesOf(goal, observation);
  if (present === undefined || present === wanted.primary) return [];
  const facts = observation[present] as PrimaryFacts;
  const free = Object.entries(wanted.secondaries).filter(
    ([name, { id }]) => !isTaken(name, id, facts, goal, observation),
  );
  const successor = factsOf(observation, wanted.primary);
  const ids = [
    ...own,
    ...free.map(([, { id }]) => id),
    // If the successor was the primary before, it has a new id, which is not in the state.
    ...(successor.mode === 'secondary' && isAttached(successor, facts) ? [successor.secondaryId] : []),
  ];
  return cutOff(present, facts, ids, `${quote(wanted.primary)} will replace it as the primary.`);
}

/**
 * Returns the secondaries that would lose their primary because the ids of former members are
 * revoked.
 */
export function revokedSecondaries(
  goal: Goal,
  observation: Observation,
  own: ReadonlySet<string>,
): readonly Refusal[] {
  const { primary } = goal.wanted;
  const facts = factsOf(observation, primary);
  if (facts.mode !== 'primary' || facts.unreachable !== undefined) return [];
  const revoked = formerIds(goal);
  const kept = Object.keys(facts.secondaries).filter((id) => !revoked.includes(id));
  const change = 'These ids belonged to members, which have left, and would be revoked.';
  return cutOff(primary, facts, [...kept, ...own], change);
}

/**
 * Returns the reasons against the destroy of a set, because clusters that are not in the state may
 * have joined it.
 *
 * @param ids the ids of the members
 */
export function refusalsOfEnding(
  { primary, ids: known, clusterId, lost = [] }: KnownSet,
  ids: ReadonlySet<string>,
  observation: Observation,
): readonly Refusal[] {
  return [primary, ...Object.keys(known), ...lost].flatMap((name) => {
    const facts = observation[name];
    if (facts?.mode !== 'primary' || facts.clusterId !== clusterId) return [];
    return cutOff(name, facts, [...ids], 'This replication set will end.');
  });
}

function cutOff(
  primary: string,
  facts: PrimaryFacts,
  ids: readonly string[],
  change: string,
): readonly Refusal[] {
  const others = Object.keys(facts.secondaries).filter((id) => !ids.includes(id));
  if (others.length === 0) return [];
  return [
    {
      path: ['primary'],
      summary: `${quote(primary)} has secondaries that are not in this set and would lose their primary: ${list(others)}`,
      details: change,
      cures: phrase`add the clusters with these ids to secondaries. ${or('Or')} ${revokeIds(
        primary,
        others,
        `revoke the ids that are not in use (${REVOKE_SECONDARY} id=...)`,
      )}.`,
    },
  ];
}
