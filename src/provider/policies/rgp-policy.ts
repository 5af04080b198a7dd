import { RGP_POLICY } from '../../model';
import { listDataSource } from '../objects';
import { policyDataSource } from './data-source';
import type { PolicyKind } from './kind';
import { policyResource } from './resource';

const kind: PolicyKind = {
  definition: RGP_POLICY,
  plural: { name: 'rgp_policies', title: 'RGP policies' },
  calls: ({ policies }) => policies.rgp,
};

/** Interface section 4.2: `/sys/policies/rgp`. */
export const rgpPolicyResource = policyResource(kind);
export const rgpPolicyDataSource = policyDataSource(kind);
export const rgpPoliciesDataSource = listDataSource(kind, ({ policies }, options) =>
  policies.rgp.list(options),
);
