import { Diagnostics, isKnown } from '../../plugin';
import { Cluster } from '../../provider/clusters/cluster';
import {
  resolveConfiguration,
  type ClusterConfiguration,
  type ClusterSettings,
  type Configuration,
} from '../../provider/configuration';
import { UserError } from '../errors';

/** Settings by the clusters' names. */
export type ClusterConfigurations = Readonly<Record<string, ClusterConfiguration>>;

/**
 * The settings of clusters: what is configured and then what the environment says, as the provider has them.
 *
 * @param configured absent for the one cluster that the usual variables describe.
 * @returns none where Terraform alone knows which there are.
 * @throws UserError for settings that are not valid.
 */
export function resolveClusters(
  configured: ClusterConfigurations | undefined,
  env: NodeJS.ProcessEnv,
): readonly ClusterSettings[] {
  const diagnostics = new Diagnostics();
  const clusters = (configured ?? null) as Configuration['clusters'];
  const settings = resolveConfiguration({ clusters }, env, diagnostics);
  if (diagnostics.hasErrors) {
    throw new UserError(
      diagnostics.list.map(({ summary, detail }) => `${summary}\n${detail}`.trim()).join('\n'),
    );
  }
  return isKnown(settings) ? settings : [];
}

/**
 * The settings of clusters that are in the environment, under the same variables that the provider reads.
 *
 * @throws UserError for settings that are not valid.
 */
export function clustersInEnvironment(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): readonly ClusterSettings[] {
  return names.length === 0 ? [] : resolveClusters(Object.fromEntries(names.map((name) => [name, {}])), env);
}

/** Uses clusters, in the order of their settings, and gives back what was borrowed. */
export async function withClusters<T>(
  settings: readonly ClusterSettings[],
  env: NodeJS.ProcessEnv,
  use: (clusters: readonly Cluster[]) => Promise<T>,
): Promise<T> {
  // What is printed never holds a token, so that there is nothing to mask.
  const opened = settings.map((each) => new Cluster(each, { env, mask: () => undefined }));
  try {
    return await use(opened);
  } finally {
    await Promise.all(opened.map((cluster) => cluster.close()));
  }
}

/** The settings without which a cluster still tells how it is. */
const CREDENTIALS = ['token', 'auth_login'];

/** What to do about settings that are not known. */
export const UNKNOWN_SETTINGS_CURE =
  "set the stacks' variables in the environment (TF_VAR_...), as for Terraform";

/** Whether it is known where the cluster is, so that it can be asked what it tells everybody. */
export function canBeAsked({ unknown }: ClusterSettings): boolean {
  return unknown.every((setting) => CREDENTIALS.includes(setting));
}

/** What is not known of a cluster, to be said in words. */
export function describeUnknown({ unknown }: ClusterSettings): string {
  return `its ${unknown.join(', ')} in the stacks is not known before Terraform runs`;
}
