import {
  CLUSTER_SETTINGS,
  type ClusterSetting,
  type ClusterSettingName,
  type ClusterSettingValues,
} from '../../model/clusters';
import { checkCertificatePair, checkSetting } from './setting-checks';
import { USUAL_PREFIX, type ClientOptions } from './client-options';
import { standardProxiesOf } from './proxies';

/** Environment variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the options in the usual variables: `VAULT_ADDR`, `_TOKEN`, `_NAMESPACE`, `_CACERT`,
 * `_CACERT_BYTES`, `_CAPATH`, `_CLIENT_CERT`, `_CLIENT_KEY`, `_SKIP_VERIFY`, `_TLS_SERVER_NAME`,
 * `_CLIENT_TIMEOUT` (seconds or a duration), `_MAX_RETRIES`, `_DISABLE_REDIRECTS`, `_DIALECT`
 * (`vault` or `neutral`), `_PROXY_ADDR` or `_HTTP_PROXY`, `_RATE_LIMIT`, and `_HEADERS` (JSON); and
 * `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. An empty variable counts as absent. Options without a
 * variable are absent from the result.
 *
 * @param prefix of the variables' names, for other variables than the usual ones: `VAULTADMIN_US_`.
 * @throws VaultError `invalid_options`: names the variable, its value (never a token) and what is
 *   allowed.
 */
export function clientOptionsFromEnvironment(env: Environment, prefix = USUAL_PREFIX): ClientOptions {
  return { ...clientOptionsOf(settingsFromEnvironment(env, prefix)), ...standardProxiesOf(env) };
}

/**
 * Returns the settings in environment variables.
 *
 * @param prefix of the variables' names.
 * @throws VaultError `invalid_options`: names the variable, its value (never a token) and what is
 *   allowed.
 */
export function settingsFromEnvironment(env: Environment, prefix: string): ClusterSettingValues {
  const names = Object.keys(CLUSTER_SETTINGS) as ClusterSettingName[];
  const values = names.flatMap((name) => {
    const { variable: latest, olderVariable }: ClusterSetting = CLUSTER_SETTINGS[name];
    const variable = [latest, olderVariable].find((each) => each && env[prefix + each]);
    if (variable === undefined) return [];
    return [[name, checkSetting(name, env[prefix + variable]!, prefix + variable)] as const];
  });
  const settings: ClusterSettingValues = Object.fromEntries(values);
  const { client_cert_file, client_key_file } = CLUSTER_SETTINGS;
  checkCertificatePair(settings.client_cert_file, settings.client_key_file, [
    prefix + client_cert_file.variable,
    prefix + client_key_file.variable,
  ]);
  return settings;
}

/** Returns the client's options for settings. */
export function clientOptionsOf(settings: ClusterSettingValues): ClientOptions {
  const names = Object.keys(CLUSTER_SETTINGS) as ClusterSettingName[];
  const given = names.filter(
    (name) => settings[name] !== undefined && !('ofProvider' in CLUSTER_SETTINGS[name]),
  );
  const options = (tls: boolean) =>
    Object.fromEntries(
      given
        .filter((name) => 'tls' in CLUSTER_SETTINGS[name] === tls)
        .map((name) => [CLUSTER_SETTINGS[name].option, settings[name]]),
    );
  const tls = options(true);
  // Each setting has the type of the option that it names.
  return { ...options(false), ...(Object.keys(tls).length > 0 && { tls }) };
}
