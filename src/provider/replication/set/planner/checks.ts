import type { Observation } from './facts';
import type { Goal } from './goal';
import { drSecondaries, sameClusters, sharedIds, unsupportedStorage } from './identity-checks';
import { lossesByForce, unconfirmedLosses, unconfirmedRejoins } from './loss-checks';
import { foreignSecondaries, severalPrimaries } from './primary-checks';
import {
  abandonedPrimary,
  answeringAbandonedPrimary,
  incompleteSuccessor,
  lostPredecessor,
  primaryElsewhere,
  primaryOutsideOfSet,
  rolledBackPrimary,
  switchOverAtCreation,
  unlistedPrimary,
  unlistedSuccessor,
  unreachableSuccessor,
} from './promotion-checks';
import {
  corruptedTrees,
  joinsAtOldAddress,
  lossyUpdates,
  missingDigests,
  olderFollowers,
} from './server-checks';
import type { Refusal } from './step-plan';
import { takenIds } from './taken-ids';
import { revokedSecondaries, unlistedSecondaries } from './unlisted-secondaries';

type Check = (goal: Goal, observation: Observation, own: ReadonlySet<string>) => readonly Refusal[];

/**
 * The checks of a plan, in the order in which the user must correct the reasons that they return.
 */
const CHECKS: readonly Check[] = [
  sameClusters,
  sharedIds,
  unsupportedStorage,
  drSecondaries,
  severalPrimaries,
  primaryOutsideOfSet,
  unreachableSuccessor,
  abandonedPrimary,
  answeringAbandonedPrimary,
  foreignSecondaries,
  switchOverAtCreation,
  incompleteSuccessor,
  unlistedSecondaries,
  primaryElsewhere,
  unlistedSuccessor,
  unlistedPrimary,
  rolledBackPrimary,
  lostPredecessor,
  lossyUpdates,
  unconfirmedLosses,
  (goal, observation, own) =>
    unconfirmedRejoins(goal, observation, (other) => refusals(other, observation, own).length > 0),
  lossesByForce,
  takenIds,
  revokedSecondaries,
  joinsAtOldAddress,
  olderFollowers,
  corruptedTrees,
  missingDigests,
];

/**
 * Returns the reasons against the apply of a set: the first kind of reason, for each affected
 * cluster.
 *
 * @param own the present and earlier ids of members
 */
export function refusals(goal: Goal, observation: Observation, own: ReadonlySet<string>): readonly Refusal[] {
  return CHECKS.map((check) => check(goal, observation, own)).find((found) => found.length > 0) ?? [];
}
