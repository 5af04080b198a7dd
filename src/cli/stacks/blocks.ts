import { AUDIT_DEVICE, AUTO_SNAPSHOT, UPSTREAM_POLICY_RESOURCES } from '../../model';
import { DEFAULT_CLUSTER } from '../../provider/configuration';
import type { ProviderName } from './stack-clusters';

/** The arguments of a block of a stack. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Resources of `hashicorp/vault` that are about the same objects as one of ours. */
const UPSTREAM_RESOURCES: Readonly<Record<string, string>> = {
  ...UPSTREAM_POLICY_RESOURCES,
  vault_raft_snapshot_agent_config: AUTO_SNAPSHOT.name,
  vault_audit: AUDIT_DEVICE.name,
};

/**
 * `acl_policy` for `vaultadmin_acl_policy` and `vault_policy`. Other types are returned as they
 * are.
 */
export function objectNameOf(type: string): string {
  return (
    UPSTREAM_RESOURCES[type] ?? (type.startsWith('vaultadmin_') ? type.slice('vaultadmin_'.length) : type)
  );
}

/**
 * The cluster of a block. Resources of `vaultadmin` name it; those of `hashicorp/vault` name the
 * alias of their provider's block: `vault.us`.
 *
 * @returns `cluster: undefined` if the block does not specify it: its provider has only one.
 */
export function clusterOf(
  type: string,
  { cluster, provider }: Arguments,
): { readonly provider: ProviderName; readonly cluster: string | undefined } {
  if (type.startsWith('vaultadmin_'))
    return { provider: 'vaultadmin', cluster: isLiteral(cluster) ? cluster : undefined };
  const alias = typeof provider === 'string' ? provider.split('.')[1] : undefined;
  return { provider: 'vault', cluster: alias ?? DEFAULT_CLUSTER };
}

/** `$${` and `%%{` are how literal ones are written. */
const EXPRESSION = /(?<!\$)\$\{|(?<!%)%\{/;
const ESCAPED = /([$%])\1\{/g;

/** Whether a value is known before Terraform runs. */
export function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && !EXPRESSION.test(value);
}

/** A value as Terraform reads it. `undefined` if it is not known before Terraform runs. */
export function literalOf(value: unknown): string | undefined {
  return isLiteral(value) ? value.replace(ESCAPED, '$1{') : undefined;
}
