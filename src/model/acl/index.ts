export * from './audit';
export {
  Acl,
  type AclDecision,
  type AclOperation,
  type AclOptions,
  type AclRequest,
  type DenialRule,
  type ListRule,
} from './acl';
export { Effort, TooComplexError } from './effort';
export { AclPolicyError } from './errors';
export { parseAclPolicy, type AclParseOptions } from './parse';
export {
  ACL_CAPABILITIES,
  type AclCapability,
  type AclControlGroup,
  type AclControlGroupFactor,
  type AclPolicy,
  type AclRule,
  type ParameterConstraints,
} from './policy';
export { renderAclPolicy, type AclRuleSource } from './render';
export { ACL_SERVER_SETTINGS, GROUP_POLICY_MODES, type AclServerSettings } from './settings';
export { aclOptionsFor, aclParseOptionsFor, isAmbiguous, isKnownServer, productVersion } from './versions';
export {
  AclPolicySet,
  ceilingOf,
  checksMissing,
  deadRules,
  diffPolicySets,
  explainRequest,
  explanationLines,
  openLines,
  findPermitted,
  groupChanges,
  isEqual,
  isSubset,
  isWidening,
  LimitedPolicySet,
  patternOf,
  permittedBy,
  refusalText,
  requestText,
  sensitiveChanges,
  shadowedDenies,
  type AclChange,
  type AclChangeGroup,
  type AclComparedOperation,
  type AclExplanation,
  type AclLimit,
  type AclLimitExplanation,
  type AclMergedRule,
  type AclRefusal,
  type AclRuleOrigin,
  type DeadRule,
  type LostBy,
  type NamedAclPolicy,
  type SensitiveChange,
} from './reasoning';
export {
  describeFault,
  findAclFault,
  hasUnquotedExpression,
  isUnknownSyntax,
  isUnknownWord,
  LINT_IDS,
  lintAclPolicy,
  lintTogether,
  OPEN_PATHS,
  type FaultDescription,
  type LintFinding,
  type LintFix,
  type LintOptions,
  type LintSeverity,
} from './lint';
export { isRootPath } from './reasoning/root-paths';
export type { AclAlias, AclEntity, AclGroup, AclIdentity } from './template';
export { upgradeImpacts, type UpgradeImpact } from './upgrade';
