import { ACL_POLICY } from './acl-policy';
import { EGP_POLICY } from './egp-policy';
import { RGP_POLICY } from './rgp-policy';

export type PolicyKind = 'acl' | 'rgp' | 'egp';

/** The Terraform resources that write policies: those of `hashicorp/vault`, and those of this package's provider. */
export const POLICY_RESOURCE_TYPES: Readonly<Record<string, PolicyKind>> = {
  vault_policy: 'acl',
  vault_rgp_policy: 'rgp',
  vault_egp_policy: 'egp',
  [`vaultadmin_${ACL_POLICY.name}`]: 'acl',
  [`vaultadmin_${RGP_POLICY.name}`]: 'rgp',
  [`vaultadmin_${EGP_POLICY.name}`]: 'egp',
};
