import {
  AUDIT_DEVICE,
  AUTO_SNAPSHOT,
  MAX_NAMESPACE_DEPTH,
  NAMESPACE,
  normalizeNamespace,
  UPSTREAM_POLICY_RESOURCES,
} from '../../model';
import { DEFAULT_CLUSTER } from '../../provider/configuration';
import type { ProviderName } from './stack-clusters';

/** The arguments of a block of a stack. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The blocks of a stack that are looked up, by type and id. */
interface StackBlocks {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, Arguments>>>>;
}

/** Resources of `hashicorp/vault` that are about the same objects as one of ours. */
const UPSTREAM_RESOURCES: Readonly<Record<string, string>> = {
  ...UPSTREAM_POLICY_RESOURCES,
  vault_raft_snapshot_agent_config: AUTO_SNAPSHOT.name,
  vault_audit: AUDIT_DEVICE.name,
  vault_namespace: NAMESPACE.name,
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

/** The path of a namespace that the same stack creates, as a construct refers to it. */
const NAMESPACE_PATH = /^\$\{vaultadmin_namespace\.([\w-]+)\.path_fq\}$/;

/**
 * The namespace of a block, relative to that of its cluster; empty for that one itself. A namespace
 * that the same stack creates is known by the block that creates it.
 *
 * @returns `undefined` if it is not known before Terraform runs.
 */
export function namespaceOf({ namespace }: Arguments, { resource }: StackBlocks): string | undefined {
  const names: string[] = [];
  for (let given = namespace ?? '', steps = 0; steps < MAX_NAMESPACE_DEPTH; steps++) {
    const literal = literalOf(given);
    if (literal !== undefined) return normalizeNamespace([literal, ...names].join('/'));
    const [, id = ''] = (typeof given === 'string' && NAMESPACE_PATH.exec(given)) || [];
    const parent = resource?.vaultadmin_namespace?.[id];
    const name = literalOf(parent?.path);
    if (name === undefined) return undefined;
    names.unshift(name);
    given = parent?.namespace ?? '';
  }
  return undefined;
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
