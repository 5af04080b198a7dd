import { VaultError } from '../../client';
import { checkSetting } from '../../client/internal';
import {
  CLUSTER_SETTINGS,
  type ClusterSetting,
  type ClusterSettingName,
  type GivenSetting,
} from '../../model/clusters';
import { isKnown, isWhollyKnown, type Unknown } from '../../plugin';
import { configuredLogin } from './login';
import type { ClusterConfiguration, KnownConfiguration } from './schema';
import type { Layer, Report } from './provider-settings';

/** Returns what the provider's configuration gives for one cluster, and which of its attributes are not known yet. */
export function configuredLayer(
  configuration: ClusterConfiguration | null | Unknown,
  report: Report,
): { layer: Layer; unknown: readonly string[] } {
  const { known, unknown } = divide(configuration);
  const names = Object.keys(CLUSTER_SETTINGS) as ClusterSettingName[];
  const values = names.flatMap((name) => {
    const { argument = name, environmentOnly, group }: ClusterSetting = CLUSTER_SETTINGS[name];
    const given = environmentOnly ? undefined : argumentOf(known, argument);
    // An empty text does not choose one of several alternative settings.
    if (given === undefined || (given === '' && group !== undefined)) return [];
    try {
      return [[name, checkSetting(name, given, argument)] as const];
    } catch (error) {
      if (!VaultError.is(error)) throw error;
      report(`${argument} is not valid`, { details: `${error.message}.` });
      return [];
    }
  });
  return {
    unknown,
    layer: {
      values: Object.fromEntries(values),
      login: configuredLogin(known.token, known.auth_login, report),
    },
  };
}

function divide(configuration: ClusterConfiguration | null | Unknown): {
  known: KnownConfiguration;
  unknown: readonly string[];
} {
  if (!isKnown(configuration)) return { known: {}, unknown: ['clusters'] };
  const attributes = Object.entries(configuration ?? {});
  return {
    known: Object.fromEntries(attributes.filter(([, value]) => isWhollyKnown(value))),
    unknown: attributes.filter(([, value]) => !isWhollyKnown(value)).map(([name]) => name),
  };
}

/** @param argument may be in a block: `client_auth.cert_file`. */
function argumentOf(known: object, argument: string): GivenSetting | undefined {
  let value: unknown = known;
  for (const name of argument.split('.'))
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value === undefined || value === null ? undefined : (value as GivenSetting);
}
