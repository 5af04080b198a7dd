import type { Message } from '../../model/messages';
import { isKnown } from '../../plugin';
import { Cluster } from '../../provider/clusters/cluster';
import {
  resolveConfiguration,
  type ClusterConfiguration,
  type ClusterSettings,
  type Configuration,
} from '../../provider/configuration';
import { isSecretParameter } from '../../model/clusters';
import { SettingsError } from '../errors';
import { hideInOutput } from '../output/secrets';

/** The settings of clusters, by name. */
export type ClusterConfigurations = Readonly<Record<string, ClusterConfiguration>>;

/**
 * Returns the settings of clusters: what is configured, then the environment, as in the provider.
 *
 * @param configured absent for the one cluster that the usual variables describe.
 * @returns an empty list if the clusters are known only to Terraform.
 * @throws SettingsError for settings that are not valid.
 */
export function resolveClusters(
  configured: ClusterConfigurations | undefined,
  env: NodeJS.ProcessEnv,
): readonly ClusterSettings[] {
  const refused: Message[] = [];
  const clusters = (configured ?? null) as Configuration['clusters'];
  const settings = resolveConfiguration({ clusters }, env, (message) => refused.push(message));
  if (refused.length > 0) throw new SettingsError(refused);
  return isKnown(settings) ? settings : [];
}

/**
 * Returns the settings of clusters that the environment describes, in the same variables that the
 * provider reads.
 *
 * @throws UserError for settings that are not valid.
 */
export function clustersInEnvironment(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): readonly ClusterSettings[] {
  return names.length === 0 ? [] : resolveClusters(Object.fromEntries(names.map((name) => [name, {}])), env);
}

/**
 * Opens clusters in the order of their settings for a function, then revokes the tokens of their
 * logins.
 */
export async function withClusters<T>(
  settings: readonly ClusterSettings[],
  env: NodeJS.ProcessEnv,
  use: (clusters: readonly Cluster[]) => Promise<T>,
): Promise<T> {
  for (const { login } of settings) {
    for (const [name, value] of Object.entries(login?.parameters ?? {})) {
      if (isSecretParameter(name)) hideInOutput(value);
    }
  }
  const opened = settings.map((each) => new Cluster(each, { env, mask: hideInOutput }));
  try {
    return await use(opened);
  } finally {
    await Promise.all(opened.map((cluster) => cluster.close()));
  }
}

/** The settings that a read of a cluster's status does not need. */
const CREDENTIALS = ['token', 'auth_login'];

/** The cure for unknown settings. */
export const UNKNOWN_SETTINGS_CURE =
  "set the stacks' variables in the environment (TF_VAR_...), as for Terraform";

/** Whether the cluster's address is known, so that its public status can be read. */
export function canBeAsked({ unknown }: ClusterSettings): boolean {
  return unknown.every((setting) => CREDENTIALS.includes(setting));
}

/** Describes the unknown settings of a cluster. */
export function describeUnknown({ unknown }: ClusterSettings): string {
  return `its ${unknown.join(', ')} in the stacks is only known when Terraform runs`;
}
