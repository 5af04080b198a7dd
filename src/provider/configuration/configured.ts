import {
  CLUSTER_SETTINGS,
  clusterSettingProblem,
  clusterSettingValue,
  type ClusterSetting,
  type ClusterSettingName,
  type GivenSetting,
} from '../../model/clusters';
import { isKnown, isWhollyKnown, type Unknown } from '../../plugin';
import type { ClusterConfiguration, KnownConfiguration } from './schema';
import type { Layer, Report, LoginSettings } from './provider-settings';
import { phrase } from '../../model/messages';
import { namespacePathProblem } from '../../model';

type AuthLogin = NonNullable<KnownConfiguration['auth_login']>;

/**
 * Returns the settings of one cluster in the provider's configuration, and the names of its unknown
 * attributes.
 */
export function configuredLayer(
  configuration: ClusterConfiguration | null | Unknown,
  report: Report,
): { layer: Layer; unknown: readonly string[] } {
  const { known, unknown } = divide(configuration);
  const names = Object.keys(CLUSTER_SETTINGS) as ClusterSettingName[];
  const values = names.flatMap((name) => {
    const { argument = name, environmentOnly, group }: ClusterSetting = CLUSTER_SETTINGS[name];
    const given = environmentOnly ? undefined : argumentOf(known, argument);
    // An empty text counts as absent among alternative settings, so that it does not exclude the
    // others.
    if (given === undefined || (given === '' && group !== undefined)) return [];
    const problem = clusterSettingProblem(name, given);
    if (!problem) return [[name, clusterSettingValue(name, given)] as const];
    report(`${argument} ${problem.problem}`, {
      received: problem.received,
      allowed: problem.allowed,
      cures: problem.cure,
    });
    return [];
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

/** @param argument the name of the argument, which may be in a block: `client_auth.cert_file`. */
function argumentOf(known: object, argument: string): GivenSetting | undefined {
  let value: unknown = known;
  for (const name of argument.split('.'))
    value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value === undefined || value === null ? undefined : (value as GivenSetting);
}

/** Returns the login that gets a cluster's token; `undefined` if none is configured. */
function configuredLogin(
  token: string | null | undefined,
  login: AuthLogin | null | undefined,
  report: Report,
): LoginSettings | undefined {
  if (!login) return undefined;
  if (token) {
    report('token and auth_login are both given', {
      allowed: 'one of them',
      cures: 'leave out token to log in, or auth_login to use the token',
    });
  }
  const { namespace, parameters, secret_id_wrapping_path } = login;
  const problem = namespacePathProblem(namespace ?? '');
  if (problem) {
    report(`the namespace ${problem.received} of auth_login ${problem.problem}`, {
      allowed: problem.allowed,
      cures: problem.cure,
    });
  }
  const path = login.path || usualPath(login);
  if (path === undefined) {
    report('auth_login has neither path nor method', {
      allowed: 'path, such as "auth/approle/login", or method, such as "approle"',
      cures: 'set one of them',
    });
    return undefined;
  }
  if (secret_id_wrapping_path && !parameters?.secret_id) {
    report('auth_login has secret_id_wrapping_path, but no secret_id', {
      cures: phrase`set secret_id in parameters to the wrapping token, or leave out
      secret_id_wrapping_path`,
    });
  }
  return {
    path,
    namespace: namespace ?? undefined,
    parameters: parameters ?? {},
    ...(secret_id_wrapping_path && { secretIdWrappingPath: secret_id_wrapping_path }),
  };
}

/** Returns the usual path of a login. For methods with user names, it contains the name. */
function usualPath({ method, parameters }: AuthLogin): string | undefined {
  if (!method) return undefined;
  const username = parameters?.username;
  return `auth/${method}/login${username ? `/${username}` : ''}`;
}
