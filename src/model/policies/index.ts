export { aclPolicy } from './acl-policy';
export { DEFAULT_POLICY, HIDDEN_POLICIES, IMMUTABLE_POLICIES } from './built-in';
export { egpPolicy } from './egp-policy';
export { ENFORCEMENT_LEVELS, type EnforcementLevel } from './fields';
export { rgpPolicy } from './rgp-policy';
