import type { IConstruct } from 'constructs';
import { CLUSTER_NAMES, isClusterName } from '../../../src/model';
import { invalidProps } from '../../private/errors';
import { plainTextProblems } from '../../private/secrets';
import type { VaultConnection } from '../connection';
import { connectionSecrets } from './connection-secrets';

/** @throws Error for whatever is wrong with the settings of a cluster. */
export function checkConnection(cluster: IConstruct, name: string, connection: VaultConnection): void {
  const problems = [
    ...nameProblems(name),
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

function loginProblems({ token, authLogin }: VaultConnection): string[] {
  if (token === undefined || authLogin === undefined) return [];
  return [
    'Vault cluster: token and authLogin are both given; allowed: one of the two; leave out token to log in',
  ];
}
