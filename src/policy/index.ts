export type { AliasFacts, EntityFacts, GroupFacts, IdentityFacts, TokenFacts } from '../enforcement';
export type { AclPolicySource } from './acl-sources';
export { PolicySourceError } from './errors';
export type { ExpressionValues } from './known-text';
export { POLICY_MATCHERS, type PolicyMatchers } from './matchers';
export {
  PolicySet,
  type AgentLimits,
  type PolicyExplanation,
  type PolicyOperation,
  type PolicySetOptions,
  type RequestDetails,
} from './policy-set';
export {
  groupNamed,
  identityOf,
  requestTo,
  tokenWith,
  type IdentityOptions,
  type RequestOptions,
  type SimulatedRequest,
} from './simulated-request';
export { simulate, type SentinelPolicySource, type SimulateOptions, type Simulation } from './simulate';
