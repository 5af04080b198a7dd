import type { Construct } from 'constructs';
import { CLUSTER_CONNECTION, clusterNameProblem, isSecretParameter } from '../../../src/model/clusters';
import { OLDEST_WITH_SENTINEL, sentinelOf } from '../../../src/model/sentinel/server-versions';
import { asFields } from '../../private/arguments';
import { namespaceProblems, problemsOf } from '../../private/checks';
import { checkConstructProps, DURATION } from '../../private/expectations';
import { invalidProps } from '../../private/messages';
import { isUnknown } from '../../private/known';
import { plainTextProblems, type GivenSecret } from '../../private/secrets';
import { UnknownPolicySyntax, VaultResources } from '../cluster';
import type { VaultConnection } from '../connection';

/** What a handle says of its cluster besides the connection. */
interface Handle {
  readonly name: string;
  readonly resources: VaultResources;
  readonly serverVersion: string | undefined;
  readonly unknownPolicySyntax: UnknownPolicySyntax | undefined;
}

/** @throws Error for settings of a cluster that are not valid. */
export function checkConnection(
  cluster: Construct,
  { name, resources, serverVersion, unknownPolicySyntax }: Handle,
  connection: VaultConnection,
): void {
  checkConstructProps(cluster, 'VaultCluster', connection, {}, { timeout: DURATION });
  const problems = [
    ...nameProblems(name),
    ...choiceProblems('resources', resources, Object.values(VaultResources)),
    ...choiceProblems('unknownPolicySyntax', unknownPolicySyntax, Object.values(UnknownPolicySyntax)),
    ...versionProblems(serverVersion),
    ...settingProblems(cluster, connection),
    ...plainTextProblems('Vault cluster', connectionSecrets(connection)),
    ...loginProblems(connection),
  ];
  if (problems.length > 0) throw invalidProps(cluster, problems);
}

function nameProblems(name: string): string[] {
  const problem = clusterNameProblem(name);
  if (!problem) return [];
  return [
    `Vault cluster: name ${problem.received} ${problem.problem}; allowed: ${problem.allowed}; ${problem.cure}`,
  ];
}

function versionProblems(version: string | undefined): string[] {
  if (version === undefined || (typeof version === 'string' && sentinelOf(version))) return [];
  return [
    `Vault cluster: serverVersion is ${JSON.stringify(version)}; allowed: ${OLDEST_WITH_SENTINEL} or later; write for example "1.16"`,
  ];
}

function settingProblems(cluster: Construct, connection: VaultConnection): string[] {
  // The token has checks of its own, which do not repeat it.
  const timeout = connection.timeout?.toSeconds();
  return problemsOf(cluster, CLUSTER_CONNECTION, asFields({ ...connection, token: undefined, timeout }));
}

/** A value that was read from somewhere, such as the environment, is not what its type says. */
function choiceProblems(prop: string, received: string | undefined, allowed: readonly string[]): string[] {
  if (received === undefined || isUnknown(received) || allowed.includes(received)) return [];
  const listed = allowed.map((value) => JSON.stringify(value)).join(', ');
  return [`Vault cluster: ${prop} is ${JSON.stringify(received)}; allowed: ${listed}; write one of these`];
}

function loginProblems({ token, authLogin }: VaultConnection): string[] {
  if (authLogin === undefined) return [];
  const both = token !== undefined;
  const { secretIdWrappingPath, parameters } = authLogin;
  const { namespace } = authLogin;
  const nothingWrapped = secretIdWrappingPath !== undefined && parameters?.secret_id === undefined;
  return [
    ...(both
      ? [
          'Vault cluster: token and authLogin are both given; allowed: one of the two; leave out token to use authLogin',
        ]
      : []),
    ...namespaceProblems('Vault cluster: authLogin', namespace),
    ...(nothingWrapped
      ? [
          'Vault cluster: authLogin has secretIdWrappingPath, but parameters has no secret_id; ' +
            'set secret_id to the wrapping token, or leave out secretIdWrappingPath',
        ]
      : []),
  ];
}

/** The settings of a cluster that must stay secret. */
export function connectionSecrets({ token, authLogin, headers }: VaultConnection): GivenSecret[] {
  const elsewhere = 'the environment of Terraform';
  const parameters = Object.entries(authLogin?.parameters ?? {})
    .filter(([name]) => isSecretParameter(name))
    .map(([name, value]) => ({
      name,
      value,
      title: `authLogin parameter ${JSON.stringify(name)}`,
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
