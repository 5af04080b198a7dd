import { settingsFromEnvironment, type Environment } from '../../client';
import { environmentPrefix } from '../../model/clusters';
import type { Layer } from './settings';

/** The prefix of the variables that all of the product's tools read. They count if there is only one cluster. */
const USUAL_PREFIX = 'VAULT_';

/**
 * Returns what the environment gives for a cluster: its own variables, then the usual ones if it is the only cluster.
 *
 * @throws VaultError `invalid_options` that names the variable.
 */
export function environmentLayers(env: Environment, cluster: string, onlyOne: boolean): readonly Layer[] {
  const prefixes = [environmentPrefix(cluster), ...(onlyOne ? [USUAL_PREFIX] : [])];
  return prefixes.map((prefix) => ({ values: settingsFromEnvironment(env, prefix) }));
}
