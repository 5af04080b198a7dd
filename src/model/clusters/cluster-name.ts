import type { TextProblem } from '../definition/rules';

const CLUSTER_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Returns the problem of a cluster's name, if it has one. Apps, the provider's configuration and
 * the environment share this rule.
 */
export function clusterNameProblem(name: string): TextProblem | undefined {
  if (CLUSTER_NAME.test(name)) return undefined;
  return {
    problem: 'is not a valid cluster name',
    received: JSON.stringify(name),
    allowed: 'a letter, followed by letters, digits, "-" and "_"',
    cure: 'choose a name such as "us-east"',
  };
}

/** Returns the prefix of the variables of one cluster: `VAULTADMIN_US_EAST_` for `us-east`. */
export function environmentPrefix(cluster: string): string {
  return `VAULTADMIN_${cluster.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_`;
}

/**
 * Returns the name of the cluster whose address a variable holds: `us_east` for
 * `VAULTADMIN_US_EAST_ADDR`.
 */
export function clusterOfAddressVariable(variable: string): string | undefined {
  const name = /^VAULTADMIN_([A-Z0-9_]+)_ADDR$/.exec(variable)?.[1]?.toLowerCase();
  return name === undefined || clusterNameProblem(name) ? undefined : name;
}
