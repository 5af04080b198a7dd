export { Acl, type AclDecision, type AclOperation, type AclOptions, type AclRequest } from './acl';
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
export { aclOptionsFor } from './versions';
