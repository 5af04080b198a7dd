import { ACL_POLICY } from './acl-policy';
import { EGP_POLICY } from './egp-policy';
import { RGP_POLICY } from './rgp-policy';

export type PolicyKind = 'acl' | 'rgp' | 'egp';

/** The resources of `hashicorp/vault` that write policies, with the names of their definitions. */
export const UPSTREAM_POLICY_RESOURCES = {
  vault_policy: ACL_POLICY.name,
  vault_rgp_policy: RGP_POLICY.name,
  vault_egp_policy: EGP_POLICY.name,
};

/**
 * The Terraform resources that write policies: those of `hashicorp/vault`, and those of this
 * package's provider.
 */
export const POLICY_RESOURCE_TYPES: Readonly<Record<string, PolicyKind>> = {
  ...writers('acl', ACL_POLICY.name),
  ...writers('rgp', RGP_POLICY.name),
  ...writers('egp', EGP_POLICY.name),
};

function writers(kind: PolicyKind, name: string): Readonly<Record<string, PolicyKind>> {
  const upstream = Object.entries(UPSTREAM_POLICY_RESOURCES).filter(([, written]) => written === name);
  return Object.fromEntries([
    [`vaultadmin_${name}`, kind],
    ...upstream.map(([type]) => [type, kind] as const),
  ]);
}
