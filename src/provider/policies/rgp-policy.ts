import { rgpPolicy } from '../../model';
import { policyDataSource } from './data-source';
import type { PolicyKind } from './kind';
import { policyListDataSource } from './list';
import { policyResource } from './resource';

const kind: PolicyKind = {
  definition: rgpPolicy,
  plural: { name: 'rgp_policies', title: 'RGP policies' },
  calls: ({ policies }) => policies.rgp,
};

/** Interface section 4.2: `/sys/policies/rgp`. */
export const rgpPolicyResource = policyResource(kind);
export const rgpPolicyDataSource = policyDataSource(kind);
export const rgpPoliciesDataSource = policyListDataSource(kind);
