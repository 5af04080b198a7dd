import { clusterOfAddressVariable, environmentPrefix } from '../../model/clusters';
import { DEFAULT_CLUSTER } from '../../provider/configuration';
import { UserError } from '../errors';

/**
 * Returns the clusters that the environment describes: `us_east` for `VAULTADMIN_US_EAST_ADDR`. If
 * it describes none, there is one, `default`, described by the usual variables (`VAULT_ADDR`).
 */
export function clusterNamesIn(env: NodeJS.ProcessEnv): readonly string[] {
  const names = describedIn(env);
  return names.length > 0 ? names : [DEFAULT_CLUSTER];
}

/**
 * Checks the cluster names that the user gave.
 *
 * @throws UserError for a name that the environment does not describe: its commands would reach the
 *   default address.
 */
export function checkDescribed(names: readonly string[], env: NodeJS.ProcessEnv): void {
  const described = describedIn(env);
  const unknown = names.find((name) => !env[`${environmentPrefix(name)}ADDR`]);
  // The single cluster that the usual variables describe may have any name.
  if (unknown === undefined || (described.length === 0 && names.length === 1)) return;
  throw new UserError(
    `${JSON.stringify(unknown)} is not described by the environment: ${environmentPrefix(unknown)}ADDR is not set\n` +
      `Described: ${described.join(', ') || 'none'}.`,
  );
}

/**
 * Returns the name of the one cluster that a command is for.
 *
 * @throws UserError if the environment does not describe it, or describes several and none was
 *   chosen.
 */
export function oneClusterName(chosen: string | undefined, env: NodeJS.ProcessEnv): string {
  const [name, ...others] = chosen === undefined ? clusterNamesIn(env) : [chosen];
  if (others.length > 0) {
    throw new UserError(
      `the environment describes several clusters: choose one with --cluster\nDescribed: ${[name, ...others].join(', ')}.`,
    );
  }
  checkDescribed([name!], env);
  return name!;
}

/** Returns the variables of a cluster, for help texts and messages. */
export function settingsOf(name: string, count: number): string {
  const own = `${environmentPrefix(name)}ADDR, ${environmentPrefix(name)}TOKEN`;
  return count === 1 ? `${own}, VAULT_ADDR, VAULT_TOKEN` : own;
}

function describedIn(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env)
    .flatMap(([variable, address]) => (address && clusterOfAddressVariable(variable)) || [])
    .sort();
}
