import { DEFAULT_CLUSTER, environmentPrefix } from '../../provider/configuration';

const ADDRESS = /^VAULTADMIN_([A-Z0-9_]+)_ADDR$/;

/**
 * The clusters that the environment describes: `us_east` for `VAULTADMIN_US_EAST_ADDR`. Where it describes none, there is
 * one, `default`, that the usual variables (`VAULT_ADDR`) describe.
 */
export function clusterNamesIn(env: NodeJS.ProcessEnv): readonly string[] {
  const names = Object.keys(env).flatMap((variable) => ADDRESS.exec(variable)?.[1]?.toLowerCase() ?? []);
  return names.length > 0 ? names.sort() : [DEFAULT_CLUSTER];
}

/** Where a cluster's settings are looked for, for helps and messages. */
export function settingsOf(name: string, count: number): string {
  const own = `${environmentPrefix(name)}ADDR, ${environmentPrefix(name)}TOKEN`;
  return count === 1 ? `${own}, VAULT_ADDR, VAULT_TOKEN` : own;
}
