import type { ClusterSettings } from '../../provider/configuration';
import { checkDescribed, clusterNamesIn } from '../clusters/cluster-names';
import { clustersInEnvironment } from '../clusters/open-clusters';
import { groupsBy } from '../output/lists';
import { UserError } from '../errors';
import { stackClusters } from '../stacks/stack-clusters';
import { stacksIn } from '../stacks/stacks';

/** Which clusters are looked at. */
export interface Choice {
  /** Absent: all. */
  readonly cluster?: readonly string[];
  /** The output folder of an app, to use the settings of its stacks. Absent: the settings of the environment. */
  readonly stacks?: string;
}

/**
 * The settings of the clusters to look at.
 *
 * @throws UserError for settings that are not valid, and for clusters that nothing describes.
 */
export function settingsOf({ cluster, stacks }: Choice, env: NodeJS.ProcessEnv): readonly ClusterSettings[] {
  if (stacks !== undefined) return settingsInStacks(stacks, cluster, env);
  const names = cluster ?? clusterNamesIn(env);
  checkDescribed(names, env);
  return clustersInEnvironment(names, env);
}

/** If stacks have different settings for one server, those of the first stack are used. */
function settingsInStacks(
  output: string,
  names: readonly string[] | undefined,
  env: NodeJS.ProcessEnv,
): readonly ClusterSettings[] {
  const used = stackClusters(stacksIn(output), env).map(({ settings }) => settings);
  const unknown = names?.find((name) => !used.some((settings) => settings.name === name));
  if (used.length === 0 || unknown !== undefined) {
    const known = [...new Set(used.map(({ name }) => name))].join(', ');
    throw new UserError({
      summary: `no stack in ${output} uses ${unknown === undefined ? 'a cluster' : `cluster ${JSON.stringify(unknown)}`}`,
      details: `Used: ${known || 'none'}.`,
      cures: 'synthesize the app, or specify its output folder',
    });
  }
  const asked = used.filter(({ name }) => names?.includes(name) ?? true);
  return groupsBy(asked, ({ name, options: { address, namespace } }) =>
    JSON.stringify([name, address, namespace]),
  ).map(([first]) => first);
}
