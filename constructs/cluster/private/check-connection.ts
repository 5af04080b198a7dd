import type { IConstruct } from 'constructs';
import { invalidProps } from '../../private/errors';
import { isUnknown } from '../../private/known';
import type { VaultConnection } from '../connection';

/** Login parameters that say who logs in, and prove nothing. */
const PLAIN_PARAMETERS = ['role', 'role_id', 'role_name', 'name', 'username'];

/** @throws Error for whatever is wrong with the settings of a cluster. */
export function checkConnection(cluster: IConstruct, name: string, connection: VaultConnection): void {
  const problems = [...nameProblems(name), ...secretProblems(connection), ...loginProblems(connection)];
  if (problems.length > 0) throw invalidProps(cluster, problems);
}

function nameProblems(name: string): string[] {
  if (/^[A-Za-z][A-Za-z0-9_-]*$/.test(name)) return [];
  return [
    `Vault cluster: name ${JSON.stringify(name)} is no name for a cluster; allowed: a letter, followed by letters, ` +
      'digits, - and _; write for example "us-east"',
  ];
}

function loginProblems({ token, authLogin }: VaultConnection): string[] {
  if (token === undefined || authLogin === undefined) return [];
  return [
    'Vault cluster: token and authLogin are both given; allowed: one of the two; leave out token to log in',
  ];
}

function secretProblems({ token, authLogin }: VaultConnection): string[] {
  const secrets: [string, string | undefined][] = [
    ['token', token],
    ...Object.entries(authLogin?.parameters ?? {})
      .filter(([parameter]) => !PLAIN_PARAMETERS.includes(parameter))
      .map(([parameter, value]): [string, string] => [
        `authLogin parameter ${JSON.stringify(parameter)}`,
        value,
      ]),
  ];
  return secrets
    .filter(([, value]) => value !== undefined && !isUnknown(value))
    .map(
      ([what]) =>
        `Vault cluster: ${what} is in plain text, and would be in the code, in the stack's files and in plans; ` +
        "allowed: a reference that Terraform resolves; write VaultSecret.fromVariable('name') and set TF_VAR_name, " +
        'or leave it out and set it in the environment of Terraform',
    );
}
