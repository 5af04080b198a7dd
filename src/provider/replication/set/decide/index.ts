export { applySteps, resumeSteps, type ApplyOptions } from './apply';
export type { ApplyMemory } from './memory';
export { observe } from './observe';
export { factsForPlan } from './plan-facts';
export {
  EFFECTS,
  type AnswerTo,
  type ClusterRequest,
  type Level,
  type Look,
  type Procedure,
  type Request,
  type RequestKind,
  type RequestOf,
} from './requests';
export { checkRights } from './rights';
export { type SecondarySettings, type SetSettings } from './settings';
export { NOTE_PATHS, type NoteKind } from './switchover-policy';
