import { or, phrase } from '../../../../model/messages';
import type { Refusal } from './step-plan';
import { factsOf, type PrimaryFacts, type Observation } from './facts';
import { membersOf, type Goal, type KnownSet } from './goal';
import { quote, REVOKE_SECONDARY, revokeIds } from './messages';

/**
 * Refuses an id of a new member if another secondary has it: before a new token is issued for an
 * id, its present token is revoked. An id that was never used, or that belonged to a member that
 * left, is free.
 *
 * @param own the present and earlier ids of members
 */
export function takenIds(goal: Goal, observation: Observation, own: ReadonlySet<string>): readonly Refusal[] {
  const { primary, secondaries } = goal.wanted;
  const facts = factsOf(observation, primary);
  if (facts.mode !== 'primary' || facts.unreachable !== undefined) return [];
  return Object.entries(secondaries).flatMap(([name, { id }]) =>
    !own.has(id) && isTaken(name, id, facts, goal, observation) ? [taken(name, id, goal, facts)] : [],
  );
}

/**
 * Whether another secondary of the primary has the id that is wanted for a cluster; `false` if the
 * cluster does not answer.
 */
export function isTaken(
  name: string,
  id: string,
  facts: PrimaryFacts,
  goal: Goal,
  observation: Observation,
): boolean {
  const connection = facts.secondaries[id];
  if (
    connection === undefined ||
    connection === 'never' ||
    factsOf(observation, name).unreachable !== undefined
  )
    return false;
  const isMembers = membersOf(goal).some((each) => {
    const member = factsOf(observation, each);
    return member.mode === 'secondary' && member.clusterId === facts.clusterId && member.secondaryId === id;
  });
  if (isMembers) return false;
  if (goal.known && freeIds(goal.known, facts).includes(id)) return false;
  const [formerOwner] = Object.entries(goal.known?.ids ?? {}).find(([, each]) => each === id) ?? [];
  if (formerOwner === undefined) return true;
  return isAnothers(id, formerOwner, facts, observation);
}

/**
 * Returns the earlier ids of members that no cluster uses. They are left if an apply was
 * interrupted before it revoked them.
 */
export function freeIds({ leftIds = [] }: KnownSet, { secondaries }: PrimaryFacts): readonly string[] {
  return leftIds.filter((id) => secondaries[id] !== 'connected');
}

/** Whether a secondary is connected with the id of a member that has left the set. */
export function isAnothers(
  id: string,
  formerOwner: string,
  primary: PrimaryFacts,
  observation: Observation,
): boolean {
  const facts = factsOf(observation, formerOwner);
  const hasLeft =
    facts.mode === 'disabled' || (facts.mode === 'secondary' && facts.clusterId !== primary.clusterId);
  return hasLeft && facts.unreachable === undefined && primary.secondaries[id] === 'connected';
}

function taken(name: string, id: string, { wanted }: Goal, { secondaries }: PrimaryFacts): Refusal {
  const state =
    secondaries[id] === 'connected'
      ? `is connected, and is not cluster ${quote(name)}.`
      : `was connected, and may come back; Terraform cannot tell whether it was cluster ${quote(name)}.`;
  return {
    path: ['secondaries', name],
    summary: `another secondary of ${quote(wanted.primary)} has the id ${quote(id)}, and would be disconnected if ${quote(name)} joined with it`,
    details: `The secondary with the id ${quote(id)} ${state}`,
    cures: phrase`give ${quote(name)} another id (id = ... in secondaries[${quote(name)}]). ${or('If')} the other secondary is no longer
        needed, ${revokeIds(wanted.primary, [id], `revoke its id first (${REVOKE_SECONDARY} id=${id})`)}.`,
  };
}
