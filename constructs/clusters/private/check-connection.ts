import type { Construct } from 'constructs';
import { CLUSTER_CONNECTION, clusterNameProblem, isSecretParameter } from '../../../src/model/clusters';
import { OLDEST_WITH_SENTINEL, sentinelOf } from '../../../src/model/sentinel/server-versions';
import { asFields } from '../../private/arguments';
import { namespaceProblems, problemsOf } from '../../private/checks';
import { endOfApp, refuseProps } from '../../private/report';
import { isUnknown } from '../../private/known';
import { plainTextProblems, type GivenSecret } from '../../private/secrets';
import { ResourceProvider, UnknownPolicySyntax } from '../cluster';
import type { VaultConnection } from '../connection';
import { literal, literals, phrase, property, type Phrase } from '../../../src/model/messages';

/** The properties of a cluster's construct besides its connection. */
interface Handle {
  readonly name: string;
  readonly resourceProvider: ResourceProvider;
  readonly serverVersion: string | undefined;
  readonly unknownPolicySyntax: UnknownPolicySyntax | undefined;
}

/**
 * Checks the connection of a cluster.
 *
 * @throws Error for a secret in plain text.
 */
export function checkConnection(
  cluster: Construct,
  { name, resourceProvider, serverVersion, unknownPolicySyntax }: Handle,
  connection: VaultConnection,
): void {
  const exposed = plainTextProblems('Vault cluster', connectionSecrets(connection));
  const problems = [
    ...nameProblems(name),
    ...choiceProblems('resourceProvider', resourceProvider, Object.values(ResourceProvider)),
    ...choiceProblems('unknownPolicySyntax', unknownPolicySyntax, Object.values(UnknownPolicySyntax)),
    ...versionProblems(serverVersion),
    ...settingProblems(cluster, connection),
    ...exposed,
    ...loginProblems(connection),
  ];
  // The app ends here, so that a secret in plain text does not become part of the stack.
  if (exposed.length > 0) throw endOfApp(cluster, problems);
  if (problems.length > 0) refuseProps(cluster, problems);
}

function nameProblems(name: string): string[] {
  const problem = clusterNameProblem(name);
  if (!problem) return [];
  return [
    `Vault cluster: name ${problem.received} ${problem.problem}; allowed: ${problem.allowed}; ${problem.cure}`,
  ];
}

function versionProblems(version: string | undefined): Phrase[] {
  if (version === undefined || (typeof version === 'string' && sentinelOf(version))) return [];
  return [
    phrase`Vault cluster: ${property('serverVersion')} is ${JSON.stringify(version)}; allowed:
      ${OLDEST_WITH_SENTINEL} or later; write for example "1.16"`,
  ];
}

function settingProblems(cluster: Construct, connection: VaultConnection): string[] {
  // The token is left out, because other checks examine it without repeating its value in messages.
  const timeout = connection.timeout?.toSeconds();
  return problemsOf(cluster, CLUSTER_CONNECTION, asFields({ ...connection, token: undefined, timeout }));
}

/**
 * Returns the problem of a property that has a list of allowed values. It is checked because a
 * value from elsewhere, such as the environment, may not have the declared type.
 */
function choiceProblems(prop: string, received: string | undefined, allowed: readonly string[]): Phrase[] {
  if (received === undefined || isUnknown(received) || allowed.includes(received)) return [];
  return [
    phrase`Vault cluster: ${property(prop)} is ${literal(received)}; allowed: ${literals(allowed)}; write one of
      these`,
  ];
}

function loginProblems({ token, authLogin }: VaultConnection): Phrase[] {
  if (authLogin === undefined) return [];
  const login = property('authLogin');
  const wrapping = property('secretIdWrappingPath');
  const both = token !== undefined;
  const { secretIdWrappingPath, parameters } = authLogin;
  const { namespace } = authLogin;
  const nothingWrapped = secretIdWrappingPath !== undefined && parameters?.secret_id === undefined;
  return [
    ...(both
      ? [
          phrase`Vault cluster: token and ${login} are both given; allowed: one of the two; leave out token to use
            ${login}`,
        ]
      : []),
    ...namespaceProblems(phrase`Vault cluster: ${login}`, namespace),
    ...(nothingWrapped
      ? [
          phrase`Vault cluster: ${login} has ${wrapping}, but parameters has no secret_id; set secret_id to the
            wrapping token, or leave out ${wrapping}`,
        ]
      : []),
  ];
}

/** Returns the settings of a cluster that must stay secret. */
export function connectionSecrets({ token, authLogin, headers }: VaultConnection): GivenSecret[] {
  const elsewhere = 'the environment of Terraform';
  const parameters = Object.entries(authLogin?.parameters ?? {})
    .filter(([name]) => isSecretParameter(name))
    .map(([name, value]) => ({
      name,
      value,
      title: phrase`${property('authLogin')} parameter ${literal(name)}`,
      elsewhere,
    }));
  const headerValues = Object.entries(headers ?? {}).map(([name, value]) => ({
    name,
    value,
    title: `header ${JSON.stringify(name)}`,
    elsewhere,
  }));
  return [{ name: 'token', value: token, elsewhere }, ...parameters, ...headerValues];
}
