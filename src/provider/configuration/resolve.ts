import { VaultError, type Environment } from '../../client';
import { isKnown, UNKNOWN, type Diagnostics, type Unknown } from '../../plugin';
import { configuredLayer } from './configured';
import { environmentLayers, environmentPrefix } from './environment';
import type { ClusterConfiguration, Configuration } from './schema';
import type { ClusterSettings, Layer, Report } from './settings';

/** The name of the one cluster that there is where the configuration names none. */
export const DEFAULT_CLUSTER = 'default';

/**
 * The clusters that the provider's configuration and the environment describe.
 *
 * @param diagnostics told of everything that is wrong. It says where in words, without the attribute's path: Terraform
 *   would print the line of the configuration, and with it a token that may stand there.
 * @returns UNKNOWN where Terraform knows only after an apply which clusters there are.
 */
export function resolveConfiguration(
  { clusters }: Configuration,
  env: Environment,
  diagnostics: Diagnostics,
): readonly ClusterSettings[] | Unknown {
  if (!isKnown(clusters)) return UNKNOWN;
  const named = Object.entries<ClusterConfiguration>(clusters ?? { [DEFAULT_CLUSTER]: {} });
  const onlyOne = named.length === 1;
  if (named.length === 0) {
    diagnostics.error(
      'no cluster is configured',
      'Received: clusters without any entry.\nAllowed: one cluster or more.\n' +
        'To do: name a cluster, or leave clusters out to have one named ' +
        `"${DEFAULT_CLUSTER}", with all its settings from VAULT_ADDR, VAULT_TOKEN and so on.`,
    );
  }

  return named.map(([name, configuration]) => {
    const report: Report = (problem, detail) =>
      diagnostics.error(`cluster ${JSON.stringify(name)}: ${problem}`, detail);
    checkName(name, report);
    checkOwnVariables(name, Object.keys(clusters ?? {}), env, report);
    const { layer, unknown } = configuredLayer(configuration, report);
    const layers = [layer, ...environmentOf(name, env, onlyOne, report)];
    return { ...merge(layers), name, unknown, usualTokenFile: onlyOne };
  });
}

/** Cluster names stand in import ids, between slashes. */
function checkName(name: string, report: Report): void {
  if (name !== '' && !name.includes('/')) return;
  report(
    'its name is not valid',
    'Allowed: any text without slashes, not empty.\nTo do: choose another name; resources give it as cluster.',
  );
}

/** Two clusters that read the same variables would be one server under two names. */
function checkOwnVariables(name: string, all: readonly string[], env: Environment, report: Report): void {
  const prefix = environmentPrefix(name);
  const twin = all.find((other) => other !== name && environmentPrefix(other) === prefix);
  const shared = Object.keys(env).filter((variable) => variable.startsWith(prefix));
  if (twin === undefined || shared.length === 0) return;
  report(
    'its environment variables are those of another cluster as well',
    `Received: ${shared.sort().join(', ')}, which cluster ${JSON.stringify(twin)} reads, too.\n` +
      'To do: give one of the two another name, or give their settings in clusters and not in the environment.',
  );
}

function environmentOf(name: string, env: Environment, onlyOne: boolean, report: Report): readonly Layer[] {
  try {
    return environmentLayers(env, name, onlyOne);
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    report('an environment variable is not valid', `${error.message}.`);
    return [];
  }
}

/** Each setting from the first place that has it. */
function merge(layers: readonly Layer[]): Pick<ClusterSettings, 'options' | 'login'> {
  const first = <K extends keyof Layer>(setting: K): Layer[K] =>
    layers.find((layer) => layer[setting] !== undefined)?.[setting];
  const { token, login } = first('credential') ?? {};
  return {
    login,
    options: {
      address: first('address'),
      token,
      namespace: first('namespace'),
      tls: {
        ...first('authorities'),
        ...first('clientCertificate'),
        skipVerify: first('skipVerify'),
        serverName: first('serverName'),
      },
      timeout: first('timeout'),
      maxRetries: first('maxRetries'),
      dialect: first('dialect'),
    },
  };
}
