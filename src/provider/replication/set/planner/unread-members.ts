import { factsOf, type Observation } from './facts';
import { membersOf, type Goal } from './goal';
import { isDangerous, type Step } from './steps';

/** Returns the members without known facts: neither a refresh nor this plan could read them. */
function unreadMembers(goal: Goal, observation: Observation): readonly string[] {
  return membersOf(goal).filter((name) => factsOf(observation, name).mode === 'unknown');
}

/**
 * Whether the steps of a creation are shown as unknown: a member that could not be read may be in
 * the set already, and Terraform plans again before the apply. A plan that may erase, promote,
 * demote or disable a cluster shows its steps nevertheless, as if that member were empty.
 */
export function restOnUnreadMembers(goal: Goal, observation: Observation, steps: readonly Step[]): boolean {
  const { primary, secondaries } = goal.wanted;
  const { mode } = factsOf(observation, primary);
  const isSettled = mode === 'disabled' || mode === 'primary';
  const mayErase = Object.values(secondaries).some(({ dataLoss }) => dataLoss !== 'unconfirmed');
  const isHarmless = steps.every((step) => step.kind === 'join' || !isDangerous(step));
  return (
    goal.known === undefined &&
    isSettled &&
    isHarmless &&
    !mayErase &&
    unreadMembers(goal, observation).length > 0
  );
}
