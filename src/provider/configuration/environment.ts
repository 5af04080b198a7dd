import { clientOptionsFromEnvironment, type Environment } from '../../client';
import type { Layer } from './settings';

/** Where a setting is looked for when there is only one cluster, as all of the product's tools do. */
const USUAL_PREFIX = 'VAULT_';

/**
 * What the environment says on a cluster: its own variables, and, where it is the only one, the usual ones after that.
 *
 * @throws VaultError `invalid_options` that names the variable.
 */
export function environmentLayers(env: Environment, cluster: string, onlyOne: boolean): readonly Layer[] {
  return [environmentPrefix(cluster), ...(onlyOne ? [USUAL_PREFIX] : [])].map((prefix) =>
    layerOf(env, prefix),
  );
}

/** What the names of a cluster's own variables start with: `VAULTADMIN_US_EAST_` for `us-east`. */
export function environmentPrefix(cluster: string): string {
  return `VAULTADMIN_${cluster.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_`;
}

function layerOf(env: Environment, prefix: string): Layer {
  const { token, tls, ...options } = clientOptionsFromEnvironment(env, prefix);
  const { caCertFile, caCertPem, caCertDir, clientCertFile, clientKeyFile, skipVerify, serverName } =
    tls ?? {};
  return {
    ...options,
    ...(token !== undefined && { credential: { token } }),
    ...((caCertFile ?? caCertPem ?? caCertDir) !== undefined && {
      authorities: { caCertFile, caCertPem, caCertDir },
    }),
    ...(clientCertFile !== undefined && { clientCertificate: { clientCertFile, clientKeyFile } }),
    ...(skipVerify !== undefined && { skipVerify }),
    ...(serverName !== undefined && { serverName }),
  };
}
