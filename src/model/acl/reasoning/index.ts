export { checksMissing } from './differences';
export { deadRules, type DeadRule } from './dead';
export {
  diffPolicySets,
  groupChanges,
  isEqual,
  isSubset,
  isWidening,
  permittedBy,
  type AclChange,
  type AclChangeGroup,
} from './diff';
export {
  explainRequest,
  type AclExplanation,
  type AclLimitExplanation,
  type AclRefusal,
  type LostBy,
} from './explain';
export { patternOf } from './pattern';
export { explanationLines, openLines, refusalText, requestText } from './messages';
export { ceilingOf, LimitedPolicySet, type AclLimit } from './limited';
export { findPermitted } from './permitted-request';
export {
  AclPolicySet,
  type AclRuleOrigin,
  type MergedRule as AclMergedRule,
  type NamedAclPolicy,
} from './policy-set';
export type { ComparedOperation as AclComparedOperation } from './compared-operations';
export { redundantRules, repeatedRules } from './redundant';
export { sensitiveChanges, shadowedDenies, type SensitiveChange } from './sensitive';
