import { phrase } from '../../model/messages';
import { namespacePathProblem } from '../../model';
import type { KnownConfiguration } from './schema';
import type { LoginSettings, Report } from './provider-settings';

type AuthLogin = NonNullable<KnownConfiguration['auth_login']>;

/** Returns the login by which a cluster's token is obtained; `undefined` if none is configured. */
export function configuredLogin(
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

/** Methods whose users have a name take it in the path. */
function usualPath({ method, parameters }: AuthLogin): string | undefined {
  if (!method) return undefined;
  const username = parameters?.username;
  return `auth/${method}/login${username ? `/${username}` : ''}`;
}
