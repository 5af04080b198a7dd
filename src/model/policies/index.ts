export { aclPolicy } from './acl-policy';
export { DEFAULT_POLICY, HIDDEN_POLICIES, IMMUTABLE_POLICIES } from './built-in';
export { isShippedDefaultPolicy, SHIPPED_DEFAULT_POLICY } from './default-policy';
export { egpPolicy } from './egp-policy';
export { ENFORCEMENT_LEVELS, type EnforcementLevel } from './fields';
export { rgpPolicy } from './rgp-policy';
