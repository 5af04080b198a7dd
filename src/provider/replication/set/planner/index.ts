export type { StepPlan, Refusal } from './step-plan';
export { ownIds } from './unlisted-secondaries';
export { planForDestroy } from './plan-for-destroy';
export { factsOf } from './facts';
export type {
  Announced,
  ClusterFacts,
  Connection,
  Filter,
  PrimaryFacts,
  SecondaryProgress,
  SecondaryFacts,
  Self,
  Observation,
} from './facts';
export {
  clustersIn,
  knownMembers,
  receivesMount,
  sameFilter,
  type Goal,
  type KnownSet,
  type WantedSecondary,
} from './goal';
export { announcedElsewhere } from './promotion-checks';
export {
  hasNeverConnected,
  hasSteppedDown,
  isAnsweringPrimary,
  idOf,
  isAmong,
  isAttached,
  isUnattached,
  presentPrimary,
  reportSameSecondary,
} from './relations';
export { incomparable } from './server-checks';
export { after, possibleSteps, refusalsOnTheWay, stepsOf } from './simulate';
export {
  isDangerous,
  takesToken,
  TOKEN_TTL,
  transitionBy,
  type Demote,
  type Follow,
  type Forget,
  type Join,
  type Promote,
  type Redirect,
  type SetFilter,
  type Step,
} from './steps';
export { restOnUnreadMembers } from './unread-members';
export { planFor } from './plan-for';
export {
  abandon,
  choosePrimary,
  confirmLoss,
  emptyStorage,
  inWords,
  list,
  quote,
  removeFilter,
  removeSecondary,
  setBack,
  setForce,
  setPrimary,
} from './messages';
