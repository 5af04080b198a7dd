import { UNKNOWN } from '../../plugin';
import { DEFAULT_CLUSTER } from '../../provider/configuration';
import type { ClusterConfigurations } from '../clusters/open-clusters';
import type { Stack } from './stacks';

type Block = Readonly<Record<string, unknown>>;

/** The settings of clusters that stacks give, by the clusters' names. What Terraform alone knows is UNKNOWN. */
export function configuredClusters(
  stacks: readonly Stack[],
  env: Readonly<Record<string, string | undefined>>,
): ClusterConfigurations {
  const configured = stacks.flatMap(({ json: { provider = {}, variable = {} } }) => {
    const known = (value: unknown) => knownValue(value, variable, env);
    return [
      ...(provider.vault ?? []).map((block) => [block.alias ?? DEFAULT_CLUSTER, known(unlisted(block))]),
      ...(provider.vaultadmin ?? []).flatMap(({ clusters = {} }) =>
        Object.entries(clusters as Block).map(([name, block]) => [name, known(block)]),
      ),
    ];
  });
  return Object.fromEntries(configured) as ClusterConfigurations;
}

/** The provider `hashicorp/vault` has blocks, and so lists, where there is one of something. */
function unlisted(block: Block): Block {
  const single = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
  return Object.fromEntries(Object.entries(block).map(([name, value]) => [name, single(value)]));
}

/** A value as Terraform will have it: variables are those of the environment, or their defaults. */
function knownValue(
  value: unknown,
  variables: NonNullable<Stack['json']['variable']>,
  env: Readonly<Record<string, string | undefined>>,
): unknown {
  if (typeof value === 'string') {
    const [, variable] = /^\$\{var\.([\w-]+)\}$/.exec(value) ?? [];
    if (variable !== undefined) return env[`TF_VAR_${variable}`] ?? variables[variable]?.default ?? UNKNOWN;
    return value.includes('${') ? UNKNOWN : value;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, knownValue(member, variables, env)]),
  );
}
