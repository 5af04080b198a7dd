export type { AclPolicySource } from './acl-sources';
export { PolicySourceError } from './errors';
export type { ExpressionValues } from './known-text';
export { POLICY_MATCHERS, type PolicyMatchers } from './matchers';
export {
  PolicySet,
  type PolicyExplanation,
  type PolicyOperation,
  type PolicySetOptions,
  type RequestDetails,
} from './policy-set';
