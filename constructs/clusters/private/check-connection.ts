import type { IConstruct } from 'constructs';
import { CLUSTER_NAMES, isClusterName } from '../../../src/model';
import { invalidProps } from '../../private/messages';
import { isUnknown } from '../../private/known';
import { plainTextProblems } from '../../private/secrets';
import { VaultResources } from '../cluster';
import { VaultDialect, type VaultConnection } from '../connection';
import { connectionSecrets } from './connection-secrets';

/** @throws Error for whatever is wrong with the settings of a cluster. */
export function checkConnection(
  cluster: IConstruct,
  name: string,
  resources: VaultResources,
  connection: VaultConnection,
): void {
  const problems = [
    ...nameProblems(name),
    ...choiceProblems('resources', resources, Object.values(VaultResources)),
    ...choiceProblems('dialect', connection.dialect, Object.values(VaultDialect)),
    ...plainTextProblems('Vault cluster', connectionSecrets(connection)),
    ...loginProblems(connection),
  ];
  if (problems.length > 0) throw invalidProps(cluster, problems);
}

function nameProblems(name: string): string[] {
  if (isClusterName(name)) return [];
  return [
    `Vault cluster: name ${JSON.stringify(name)} is no name for a cluster; allowed: ${CLUSTER_NAMES}; ` +
      'write for example "us-east"',
  ];
}

/** A value that was read from somewhere, such as the environment, is not what its type says. */
function choiceProblems(prop: string, received: string | undefined, allowed: readonly string[]): string[] {
  if (received === undefined || isUnknown(received) || allowed.includes(received)) return [];
  const listed = allowed.map((value) => JSON.stringify(value)).join(', ');
  return [`Vault cluster: ${prop} is ${JSON.stringify(received)}; allowed: ${listed}; write one of these`];
}

function loginProblems({ token, authLogin }: VaultConnection): string[] {
  if (token === undefined || authLogin === undefined) return [];
  return [
    'Vault cluster: token and authLogin are both given; allowed: one of the two; leave out token to log in',
  ];
}
