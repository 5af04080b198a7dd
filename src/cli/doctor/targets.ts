import type { ClusterSettings } from '../../provider/configuration';
import { clusterNamesIn } from '../clusters/cluster-names';
import { clustersInEnvironment } from '../clusters/open-clusters';
import { groupsBy } from '../../model/groups';
import { stackClusters, type StackCluster } from '../stacks/stack-clusters';
import type { Stack } from '../stacks/stacks';
import { enterpriseBlocksOf, requirementsOf, type Requirement } from './requirements';

/** A cluster to check. */
export interface DoctorTarget {
  /** The subject in messages: `cluster "us"`. */
  readonly subject: string;
  readonly settings: ClusterSettings;
  readonly requirements: readonly Requirement[];
  /**
   * The types of resources in the stacks that only servers with the enterprise features have.
   * `undefined` if there are no stacks.
   */
  readonly enterprise: readonly string[] | undefined;
}

/**
 * Returns the clusters that stacks use, or else those that the environment describes. A cluster for
 * which several stacks have the same settings is returned once.
 *
 * @param names the names of the clusters to check. Absent: all.
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
 * Returns a text that is equal for equivalent settings. If the token is known, the other possible
 * sources of a token do not matter.
 */
function keyOf({ usualTokenFile, ...settings }: ClusterSettings): string {
  const { options, login } = settings;
  const usual = usualTokenFile && (options.address === undefined || (!login && !options.token));
  return JSON.stringify({ ...settings, usual });
}

/** Returns the users of a cluster: `vaultadmin in stack "us"`. */
function usersOf(group: readonly StackCluster[]): string {
  return group.map(({ provider, stack }) => `${provider} in stack ${JSON.stringify(stack.name)}`).join(', ');
}

/** Returns the requirements of a stack on one of its clusters. */
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
