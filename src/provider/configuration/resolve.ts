import { cluster, phrase, type Message } from '../../model/messages';
import { VaultError, type Environment } from '../../client';
import {
  clientOptionsOf,
  settingsFromEnvironment,
  standardProxiesOf,
  USUAL_PREFIX,
} from '../../client/internal';
import {
  CLUSTER_SETTINGS,
  clusterNameProblem,
  type ClusterSetting,
  type ClusterSettingName,
  type ClusterSettingValues,
  environmentPrefix,
} from '../../model/clusters';
import { UNKNOWN_POLICY_SYNTAX, type UnknownPolicySyntax } from '../../model';
import { isKnown, UNKNOWN, type Unknown } from '../../plugin';
import { configuredLayer } from './configured';
import type { ClusterConfiguration, Configuration } from './schema';
import type { ClusterSettings, Layer, Report } from './provider-settings';

/** The name of the only cluster if the configuration names none. */
export const DEFAULT_CLUSTER = 'default';

/**
 * Returns the clusters that the provider's configuration and the environment describe.
 *
 * @param refuse is called with each error. Its text describes the place, instead of the attribute's
 * path: for a path, Terraform prints the line of the configuration, which may contain a token.
 * @returns UNKNOWN if Terraform knows only after an apply which clusters there are.
 */
export function resolveConfiguration(
  { clusters }: Configuration,
  env: Environment,
  refuse: (message: Message) => void,
): readonly ClusterSettings[] | Unknown {
  if (!isKnown(clusters)) return UNKNOWN;
  const named = Object.entries<ClusterConfiguration>(clusters ?? { [DEFAULT_CLUSTER]: {} });
  const onlyOne = named.length === 1;
  if (named.length === 0) {
    refuse({
      summary: 'no cluster is configured',
      received: 'clusters without any entry',
      allowed: 'one cluster or more',
      cures: phrase`add a cluster, or leave clusters out to have one named "${DEFAULT_CLUSTER}", with
      all its settings from VAULT_ADDR, VAULT_TOKEN and so on`,
    });
  }

  return named.map(([name, configuration]) => {
    const report: Report = (problem, rest) =>
      refuse({ summary: phrase`cluster ${cluster(name)}: ${problem}`, ...rest });
    checkName(name, report);
    checkOwnVariables(name, Object.keys(clusters ?? {}), env, report);
    const { layer, unknown } = configuredLayer(configuration, report);
    const isShared = isKnown(configuration) && configuration?.usual_environment === true;
    if (isShared) checkSharedVariables(name, layer, env, report);
    const usual = onlyOne || isShared;
    const layers = [layer, ...environmentOf(name, env, usual, report)];
    const { options, login, checkRights } = merge(layers);
    const settingNames = settingNamesOf(name, layers, env, usual);
    return {
      options: { ...options, ...standardProxiesOf(env) },
      settingNames,
      login,
      checkRights,
      unknownPolicySyntax: unknownPolicySyntaxOf(configuration, report),
      name,
      unknown,
      usualTokenFile: usual,
    };
  });
}

function unknownPolicySyntaxOf(
  configuration: ClusterConfiguration | null | Unknown,
  report: Report,
): UnknownPolicySyntax | undefined {
  const given = isKnown(configuration) ? configuration?.unknown_policy_syntax : undefined;
  if (!isKnown(given) || given === null || given === undefined) return undefined;
  const choice = UNKNOWN_POLICY_SYNTAX.find((each) => each === given);
  if (choice === undefined) {
    const allowed = UNKNOWN_POLICY_SYNTAX.map((each) => JSON.stringify(each)).join(' or ');
    report('unknown_policy_syntax is not valid', {
      received: JSON.stringify(given),
      allowed,
      cures: 'correct it, or remove it',
    });
  }
  return choice;
}

function checkName(name: string, report: Report): void {
  const problem = clusterNameProblem(name);
  if (!problem) return;
  report('its name is not valid', {
    received: problem.received,
    allowed: problem.allowed,
    cures: `${problem.cure}. Resources refer to it as cluster`,
  });
}

/**
 * Refuses two clusters with the same variables, because they would be one server under two names.
 */
function checkOwnVariables(name: string, all: readonly string[], env: Environment, report: Report): void {
  const prefix = environmentPrefix(name);
  const twin = all.find((other) => other !== name && environmentPrefix(other) === prefix);
  const shared = Object.keys(env).filter((variable) => variable.startsWith(prefix));
  if (twin === undefined || shared.length === 0) return;
  report('another cluster has the same environment variables', {
    received: phrase`${shared.sort().join(', ')}, which cluster ${JSON.stringify(twin)} reads as well`,
    cures: 'rename one of the two, or configure them in clusters instead of the environment',
  });
}

/** Settings that choose neither the server nor the user nor the namespace. */
const NOT_OF_THE_PLACE: readonly ClusterSettingName[] = [
  'timeout',
  'max_retries',
  'dialect',
  'check_rights',
  'proxy_addr',
  'rate_limit',
  'headers',
];

/**
 * Refuses variables of this provider that differ from the usual ones, for a cluster that
 * hashicorp/vault uses as well: the two providers could use different servers.
 */
function checkSharedVariables(name: string, configured: Layer, env: Environment, report: Report): void {
  const settings = Object.entries<ClusterSetting>(CLUSTER_SETTINGS).filter(
    ([setting, { group }]) =>
      !NOT_OF_THE_PLACE.includes(setting as ClusterSettingName) &&
      configured.values[setting as ClusterSettingName] === undefined &&
      (group === undefined || !hasGroup(configured, group)),
  );
  for (const [, { variable }] of settings) {
    const [own, usual] = [`${environmentPrefix(name)}${variable}`, `${USUAL_PREFIX}${variable}`];
    if (!env[own] || env[own] === env[usual]) continue;
    const difference = env[usual] ? `differs from ${usual}` : `is set, and ${usual} is not`;
    report(`${own} ${difference}`, {
      details: phrase`The provider hashicorp/vault also manages objects of this cluster, and reads only
      ${usual}: the two providers could use different clusters.`,
      cures: phrase`unset ${own}, or set ${usual} to the same value, or configure the setting in the
      app for both`,
    });
  }
}

/**
 * Returns the settings of a cluster in the environment: those of its own variables, followed by
 * those of the usual ones if `usual` is set. Reports a variable that is not valid.
 */
function environmentOf(name: string, env: Environment, usual: boolean, report: Report): readonly Layer[] {
  try {
    return prefixesOf(name, usual).map((prefix) => ({ values: settingsFromEnvironment(env, prefix) }));
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    report('an environment variable is not valid', { details: `${error.message}.` });
    return [];
  }
}

/**
 * Returns each setting from the first source that has it. All settings of one group come from the
 * same source.
 */
function merge(layers: readonly Layer[]): Pick<ClusterSettings, 'options' | 'login' | 'checkRights'> {
  const names = Object.keys(CLUSTER_SETTINGS) as ClusterSettingName[];
  const values = names.map((name) => {
    const { group }: ClusterSetting = CLUSTER_SETTINGS[name];
    const source = layers.find((layer) =>
      group === undefined ? layer.values[name] !== undefined : hasGroup(layer, group),
    );
    return [name, source?.values[name]] as const;
  });
  const { login } = layers.find((layer) => hasGroup(layer, 'credential')) ?? {};
  const settings: ClusterSettingValues = Object.fromEntries(values);
  const checkRights = CLUSTER_SETTINGS.check_rights.allowed.find((each) => each === settings.check_rights);
  return { login, checkRights, options: clientOptionsOf(settings) };
}

/**
 * Returns the source of each option of a cluster, for messages: an argument of the provider's
 * configuration, or a variable. For an option without a value, returns the sources that were
 * searched.
 */
function settingNamesOf(
  cluster: string,
  [configured, ...others]: readonly Layer[],
  env: Environment,
  usual: boolean,
): Readonly<Record<string, string>> {
  const prefixes = prefixesOf(cluster, usual);
  const isConfigured = Object.keys(configured?.values ?? {}).length > 0;
  const prefix = variablePrefix({ name: cluster, usualTokenFile: usual }, env);
  return Object.fromEntries(
    Object.entries<ClusterSetting>(CLUSTER_SETTINGS).map(([name, setting]) => {
      const { argument = name, option, variable, olderVariable = variable, environmentOnly } = setting;
      const hasIt = ({ values }: Layer) => values[name as ClusterSettingName] !== undefined;
      const written = `clusters.${cluster}.${argument}`;
      if (configured && hasIt(configured)) return [option, written];
      const from = prefixes[others.findIndex(hasIt)];
      if (from !== undefined) return [option, from + (env[from + variable] ? variable : olderVariable)];
      const places = [...(isConfigured && !environmentOnly ? [written] : []), prefix + variable];
      return [option, name === 'address' ? `${places.join(' or ')}, not set` : places.join(' or ')];
    }),
  );
}

function hasGroup({ values, login }: Layer, group: NonNullable<ClusterSetting['group']>): boolean {
  if (group === 'credential' && login !== undefined) return true;
  return Object.entries<ClusterSetting>(CLUSTER_SETTINGS).some(
    ([name, setting]) => setting.group === group && values[name as ClusterSettingName] !== undefined,
  );
}

/**
 * Returns the prefix of a cluster's variables in messages: its own prefix, or the usual one if no
 * variable with its own prefix is set.
 */
export function variablePrefix(
  { name, usualTokenFile: usual }: Pick<ClusterSettings, 'name' | 'usualTokenFile'>,
  env: Environment,
): string {
  const own = environmentPrefix(name);
  const variables = Object.values<ClusterSetting>(CLUSTER_SETTINGS).map(({ variable }) => own + variable);
  return usual && !variables.some((variable) => env[variable]) ? USUAL_PREFIX : own;
}

/** Returns the prefixes of the variables that a cluster reads, in order. */
function prefixesOf(cluster: string, usual: boolean): readonly string[] {
  return [environmentPrefix(cluster), ...(usual ? [USUAL_PREFIX] : [])];
}
