export { applySteps, resumeSteps, type ApplyOptions } from './apply';
export type { ApplyMemory } from './memory';
export { observe } from './observe';
export { factsForPlan } from './plan-facts';
export type {
  AnswerTo,
  ClusterRequest,
  Level,
  Look,
  Procedure,
  Request,
  RequestKind,
  RequestOf,
} from './requests';
export { checkRights } from './rights';
export { type SecondarySettings, type SetSettings } from './settings';
