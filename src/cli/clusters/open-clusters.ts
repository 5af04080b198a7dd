import { Diagnostics, isKnown } from '../../plugin';
import { Cluster } from '../../provider/clusters/cluster';
import {
  resolveConfiguration,
  type ClusterConfiguration,
  type Configuration,
} from '../../provider/configuration';
import { UserError } from '../output/user-error';

/** Settings by the clusters' names. */
export type ClusterConfigurations = Readonly<Record<string, ClusterConfiguration>>;

/**
 * Uses clusters whose settings are in the environment, under the same variables that the provider reads.
 *
 * @param configured settings of clusters that come before the environment's, as in the provider's configuration.
 * @throws UserError for settings that are not valid.
 */
export async function withClusters<T>(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
  use: (clusters: readonly Cluster[]) => Promise<T>,
  configured: ClusterConfigurations = {},
): Promise<T> {
  const diagnostics = new Diagnostics();
  const clusters = Object.fromEntries(
    names.map((name) => [name, configured[name] ?? {}]),
  ) as Configuration['clusters'];
  const settings = resolveConfiguration({ clusters }, env, diagnostics);
  if (diagnostics.hasErrors || !isKnown(settings)) {
    throw new UserError(
      diagnostics.list.map(({ summary, detail }) => `${summary}\n${detail}`.trim()).join('\n'),
    );
  }
  // What is printed never holds a token, so that there is nothing to mask.
  const opened = settings.map((each) => new Cluster(each, { env, mask: () => undefined }));
  try {
    return await use(opened);
  } finally {
    await Promise.all(opened.map((cluster) => cluster.close()));
  }
}
