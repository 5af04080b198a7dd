export { aclPoliciesDataSource, aclPolicyDataSource, aclPolicyResource } from './acl-policy';
export { egpPoliciesDataSource, egpPolicyDataSource, egpPolicyResource } from './egp-policy';
export { rgpPoliciesDataSource, rgpPolicyDataSource, rgpPolicyResource } from './rgp-policy';
