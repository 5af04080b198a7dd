import type { KnownConfiguration } from './schema';
import type { Layer, Report } from './settings';

type AuthLogin = NonNullable<KnownConfiguration['auth_login']>;

/** The token of a cluster, or how to log in for one, as far as its configuration says. */
export function configuredCredential(
  token: string | undefined,
  login: AuthLogin | null | undefined,
  report: Report,
): Layer['credential'] {
  if (!login) return token ? { token } : undefined;
  if (token) {
    report(
      'token and auth_login are both given',
      'Allowed: one of them.\nTo do: leave out token to log in, or auth_login to use the token.',
    );
  }
  const { namespace, parameters } = login;
  const path = login.path || usualPath(login);
  if (path === undefined) {
    report(
      'auth_login says neither path nor method',
      'Allowed: path, such as "auth/approle/login", or method, such as "approle".\nTo do: set one of them.',
    );
    return undefined;
  }
  return { login: { path, namespace: namespace ?? undefined, parameters: parameters ?? {} } };
}

/** Methods whose users have a name take it in the path. */
function usualPath({ method, parameters }: AuthLogin): string | undefined {
  if (!method) return undefined;
  const username = parameters?.username;
  return `auth/${method}/login${username ? `/${username}` : ''}`;
}
