import { clusterOfAddressVariable, environmentPrefix } from '../../model/clusters';
import { DEFAULT_CLUSTER, type ClusterSettings } from '../../provider/configuration';
import { UserError } from '../errors';

/**
 * The clusters that the environment describes: `us_east` for `VAULTADMIN_US_EAST_ADDR`. Where it describes none, there is
 * one, `default`, that the usual variables (`VAULT_ADDR`) describe.
 */
export function clusterNamesIn(env: NodeJS.ProcessEnv): readonly string[] {
  const names = describedIn(env);
  return names.length > 0 ? names : [DEFAULT_CLUSTER];
}

/**
 * Checks the names of clusters that somebody asks for.
 *
 * @throws UserError for one that the environment does not describe: it would be looked for at the usual address.
 */
export function checkDescribed(names: readonly string[], env: NodeJS.ProcessEnv): void {
  const described = describedIn(env);
  const unknown = names.find((name) => !env[`${environmentPrefix(name)}ADDR`]);
  // Of the one cluster that the usual variables describe the name is anybody's choice.
  if (unknown === undefined || (described.length === 0 && names.length === 1)) return;
  throw new UserError(
    `${JSON.stringify(unknown)} is no cluster that the environment describes: ${environmentPrefix(unknown)}ADDR is not set\n` +
      `Described: ${described.join(', ') || 'none'}.`,
  );
}

/** Where a cluster's settings are looked for, for helps and messages. */
export function settingsOf(name: string, count: number): string {
  const own = `${environmentPrefix(name)}ADDR, ${environmentPrefix(name)}TOKEN`;
  return count === 1 ? `${own}, VAULT_ADDR, VAULT_TOKEN` : own;
}

/** The variable that says where a cluster is. */
export function addressVariable({ name, usualTokenFile: onlyOne }: ClusterSettings): string {
  return onlyOne ? 'VAULT_ADDR' : `${environmentPrefix(name)}ADDR`;
}

/** The variable of a cluster's token. */
export function tokenVariable({ name, usualTokenFile: onlyOne }: ClusterSettings): string {
  return onlyOne ? 'VAULT_TOKEN' : `${environmentPrefix(name)}TOKEN`;
}

function describedIn(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(env)
    .flatMap(([variable, address]) => (address && clusterOfAddressVariable(variable)) || [])
    .sort();
}
