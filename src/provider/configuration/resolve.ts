import { VaultError, type Environment } from '../../client';
import { isKnown, UNKNOWN, type Diagnostics, type Unknown } from '../../plugin';
import { configuredLayer } from './configured';
import { environmentLayers } from './environment';
import type { ClusterConfiguration, Configuration } from './schema';
import type { ClusterSettings, Layer } from './settings';

/** The name of the one cluster that there is where the configuration names none. */
export const DEFAULT_CLUSTER = 'default';

/**
 * The clusters that the provider's configuration and the environment describe.
 *
 * @param diagnostics told of everything that is wrong, with the attribute's path.
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
      ['clusters'],
    );
  }

  return named.map(([name, configuration]) => {
    checkName(name, diagnostics);
    const { layer, unknown } = configuredLayer(name, configuration, diagnostics);
    const environment = environmentOf(name, env, onlyOne, diagnostics);
    return { ...merge([layer, ...environment]), name, unknown, usualTokenFile: onlyOne };
  });
}

/** Cluster names stand in import ids, between slashes. */
function checkName(name: string, diagnostics: Diagnostics): void {
  if (name !== '' && !name.includes('/')) return;
  diagnostics.error(
    `cluster ${JSON.stringify(name)}: its name is not valid`,
    'Allowed: any text without slashes, not empty.\nTo do: choose another name; resources give it as cluster.',
    ['clusters', name],
  );
}

function environmentOf(
  name: string,
  env: Environment,
  onlyOne: boolean,
  diagnostics: Diagnostics,
): readonly Layer[] {
  try {
    return environmentLayers(env, name, onlyOne);
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    diagnostics.error(`cluster "${name}": an environment variable is not valid`, `${error.message}.`, [
      'clusters',
    ]);
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
    },
  };
}
