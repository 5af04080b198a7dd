import { UNKNOWN } from '../../plugin';
import { DEFAULT_CLUSTER, type ClusterSettings } from '../../provider/configuration';
import { resolveClusters, type ClusterConfigurations } from '../clusters/open-clusters';
import type { ProviderBlock, Stack } from './stacks';

type Block = Readonly<Record<string, unknown>>;
type Environment = NodeJS.ProcessEnv;

/** The providers whose resources are on clusters, by their names in stacks. */
export type ProviderName = 'vault' | 'vaultadmin';

/** A cluster with the settings that a provider of a stack uses for it. */
export interface StackCluster {
  readonly stack: Stack;
  readonly provider: ProviderName;
  readonly settings: ClusterSettings;
}

/**
 * Returns the clusters of stacks, each with the settings that its provider uses in its stack: those
 * of the stack, then those of the environment. Settings that only Terraform knows are listed as
 * unknown.
 *
 * @throws UserError for settings that are not valid.
 */
export function stackClusters(stacks: readonly Stack[], env: Environment): readonly StackCluster[] {
  return stacks.flatMap((stack) => {
    const { provider: { vault = [], vaultadmin = [] } = {}, variable = {} } = stack.json;
    const known = (block: Block) => knownValue(block, variable, env) as Block;
    const of = (provider: ProviderName, settings: readonly ClusterSettings[]) =>
      settings.map((each) => ({ stack, provider, settings: each }));
    return [
      ...vault.flatMap((block) => of('vault', upstreamClusters(known(block), env))),
      ...vaultadmin.flatMap((block) => of('vaultadmin', ownClusters(known(block), env))),
    ];
  });
}

/** Returns the clusters of a block of `vaultadmin`, which can have any number of them. */
function ownClusters({ clusters }: ProviderBlock, env: Environment): readonly ClusterSettings[] {
  return resolveClusters(clusters as ClusterConfigurations | undefined, env);
}

/**
 * Returns the cluster of a block of `hashicorp/vault`. Only the usual variables count, because that
 * provider reads no others.
 */
function upstreamClusters(
  { alias = DEFAULT_CLUSTER, ...block }: ProviderBlock,
  env: Environment,
): readonly ClusterSettings[] {
  const usual = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('VAULTADMIN_')));
  return resolveClusters({ [alias]: unlisted(block) }, usual);
}

/**
 * Replaces one-element lists by their elements: `hashicorp/vault` has blocks for single values, and
 * the JSON of a block is a list.
 */
function unlisted(block: Block): Block {
  const single = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
  return Object.fromEntries(Object.entries(block).map(([name, value]) => [name, single(value)]));
}

/**
 * Returns a value as Terraform will compute it. Variables have their values in the environment, or
 * their defaults.
 */
function knownValue(
  value: unknown,
  variables: NonNullable<Stack['json']['variable']>,
  env: Environment,
): unknown {
  if (typeof value === 'string') {
    const [, variable] = /^\$\{var\.([\w-]+)\}$/.exec(value) ?? [];
    if (variable !== undefined) return env[`TF_VAR_${variable}`] ?? variables[variable]?.default ?? UNKNOWN;
    return value.includes('${') ? UNKNOWN : value;
  }
  if (Array.isArray(value)) return value.map((member) => knownValue(member, variables, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, knownValue(member, variables, env)]),
  );
}
