import type { ClusterSettings } from '../../provider/configuration';
import { clusterNamesIn } from '../clusters/cluster-names';
import { clustersInEnvironment } from '../clusters/open-clusters';
import { groupsBy } from '../output/lists';
import { stackClusters, type StackCluster } from '../stacks/stack-clusters';
import type { Stack } from '../stacks/stacks';
import { enterpriseBlocksOf, requirementsOf, type Requirement } from './requirements';

/** A cluster to look at. */
export interface DoctorTarget {
  /** How it is called: `cluster "us"`. */
  readonly subject: string;
  readonly settings: ClusterSettings;
  readonly requirements: readonly Requirement[];
  /**
   * The types of resources that only servers with the enterprise features have. `undefined` if no
   * stack tells.
   */
  readonly enterprise: readonly string[] | undefined;
}

/**
 * The clusters that stacks use, once for all stacks that have the same settings for one, or else
 * those that the environment describes.
 *
 * @param names of those to look at, of the stacks or of the environment. Absent: all.
 * @throws UserError for settings that are not valid.
 */
export function targetsOf(
  stacks: readonly Stack[],
  names: readonly string[] | undefined,
  env: NodeJS.ProcessEnv,
): readonly DoctorTarget[] {
  const used = stackClusters(stacks, env);
  const asked = names ?? (used.length > 0 ? [] : clusterNamesIn(env));
  const others = asked.filter((name) => !used.some(({ settings }) => settings.name === name));
  const looked = used.filter(({ settings }) => names?.includes(settings.name) ?? true);
  return [
    ...targetsIn(looked, env),
    ...clustersInEnvironment(others, env).map((settings) => ({
      subject: subjectOf(settings),
      settings,
      requirements: [],
      enterprise: undefined,
    })),
  ];
}

function targetsIn(used: readonly StackCluster[], env: NodeJS.ProcessEnv): readonly DoctorTarget[] {
  const groups = groupsBy(used, ({ settings }) => keyOf(settings));
  return groups.map((group) => {
    const [{ settings }] = group;
    const alone = groups.filter(([other]) => other.settings.name === settings.name).length === 1;
    return {
      subject: alone ? subjectOf(settings) : `${subjectOf(settings)} of ${usersOf(group)}`,
      settings,
      requirements: group.flatMap((cluster) => thoseOf(cluster, used, (stack) => requirementsOf(stack, env))),
      enterprise: [
        ...new Set(
          group.flatMap((cluster) => thoseOf(cluster, used, enterpriseBlocksOf)).map(({ type }) => type),
        ),
      ],
    };
  });
}

function subjectOf({ name }: ClusterSettings): string {
  return `cluster ${JSON.stringify(name)}`;
}

/**
 * Whether two settings are equivalent. If the token is known, its possible other sources do not
 * matter.
 */
function keyOf({ usualTokenFile, ...settings }: ClusterSettings): string {
  const { options, login } = settings;
  const usual = usualTokenFile && (options.address === undefined || (!login && !options.token));
  return JSON.stringify({ ...settings, usual });
}

/** `vaultadmin in stack "us"`. */
function usersOf(group: readonly StackCluster[]): string {
  return group.map(({ provider, stack }) => `${provider} in stack ${JSON.stringify(stack.name)}`).join(', ');
}

/** The requirements of a stack on one of its clusters. */
function thoseOf<T extends Pick<Requirement, 'provider' | 'cluster'>>(
  { stack, provider, settings }: StackCluster,
  used: readonly StackCluster[],
  find: (stack: Stack) => readonly T[],
): readonly T[] {
  const siblings = used.filter((other) => other.stack === stack && other.provider === provider);
  return find(stack).filter(
    (asked) =>
      asked.provider === provider &&
      (asked.cluster === settings.name || (asked.cluster === undefined && siblings.length === 1)),
  );
}
