export {
  ACL_SYNTAX_KNOWN,
  checkBesideExpressions,
  UNKNOWN_POLICY_SYNTAX,
  warningOfUnknownSyntax,
  type UnknownPolicySyntax,
} from './acl-rules';
export { ACL_POLICY, type AclPolicyValues } from './acl-policy';
export {
  DEFAULT_POLICY,
  HIDDEN_POLICIES,
  IMMUTABLE_POLICIES,
  isShippedDefaultPolicy,
  SHIPPED_DEFAULT_POLICY,
} from './default-policy';
export { isWideEgpPath } from './egp-path-rules';
export { EGP_POLICY, type EgpPolicyValues } from './egp-policy';
export { ENFORCEMENT_LEVELS, type EnforcementLevel } from './fields';
export type { PolicyChange } from './plain-policy';
export { comparePolicySets, policyChange, shortLine } from './policy-change';
export { policyText, policyTextForWrite } from './policy-text';
export { RGP_POLICY, type RgpPolicyValues } from './rgp-policy';
export { sentinelKnownTo, textForServer } from './sentinel-rules';
export { POLICY_RESOURCE_TYPES, type PolicyKind, UPSTREAM_POLICY_RESOURCES } from './resource-types';
