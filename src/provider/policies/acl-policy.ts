import { ACL_POLICY, DEFAULT_POLICY } from '../../model';
import { listDataSource } from '../objects';
import { policyDataSource } from './data-source';
import type { PolicyKind } from './kind';
import { policyResource } from './resource';

const kind: PolicyKind = {
  definition: ACL_POLICY,
  plural: { name: 'acl_policies', title: 'ACL policies' },
  calls: ({ policies }) => policies.acl,
  permanent: DEFAULT_POLICY,
};

/** Interface section 4.2: `/sys/policies/acl`. */
export const aclPolicyResource = policyResource(kind);
export const aclPolicyDataSource = policyDataSource(kind);
export const aclPoliciesDataSource = listDataSource(kind, ({ policies }, options) =>
  policies.acl.list(options),
);
