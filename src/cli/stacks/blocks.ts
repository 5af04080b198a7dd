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

/** The object names of this provider, by the types of `hashicorp/vault` for the same objects. */
const UPSTREAM_RESOURCES: Readonly<Record<string, string>> = {
  ...UPSTREAM_POLICY_RESOURCES,
  vault_raft_snapshot_agent_config: AUTO_SNAPSHOT.name,
  vault_audit: AUDIT_DEVICE.name,
  vault_namespace: NAMESPACE.name,
};

/**
 * Returns the name of the object that a type of resource manages: `acl_policy` for
 * `vaultadmin_acl_policy` and `vault_policy`. Other types are returned as they are.
 */
export function objectNameOf(type: string): string {
  return (
    UPSTREAM_RESOURCES[type] ?? (type.startsWith('vaultadmin_') ? type.slice('vaultadmin_'.length) : type)
  );
}

/**
 * Returns the cluster of a block. A resource of `vaultadmin` names the cluster; one of
 * `hashicorp/vault` names the alias of its provider's block: `vault.us`.
 *
 * @returns `cluster: undefined` if the block does not specify it: its provider has only one
 *   cluster.
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

/** Matches the path of a namespace that the same stack creates, as a construct refers to it. */
const NAMESPACE_PATH = /^\$\{vaultadmin_namespace\.([\w-]+)\.path_fq\}$/;

/**
 * Returns the namespace of a block, relative to the namespace of its cluster; empty for that
 * namespace itself. If the same stack creates the namespace, its path is taken from the block that
 * creates it.
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

/** Matches the beginning of an expression. A doubled sign, as in `$${`, begins a literal text. */
const EXPRESSION = /(?<!\$)\$\{|(?<!%)%\{/;
const ESCAPED = /([$%])\1\{/g;

/** Whether a value is known before Terraform runs. */
export function isLiteral(value: unknown): value is string {
  return typeof value === 'string' && !EXPRESSION.test(value);
}

/** Returns a text as Terraform reads it. `undefined` if it is not known before Terraform runs. */
export function literalOf(value: unknown): string | undefined {
  return isLiteral(value) ? value.replace(ESCAPED, '$1{') : undefined;
}
