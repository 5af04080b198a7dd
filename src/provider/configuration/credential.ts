import type { Diagnostics } from '../../plugin';
import type { KnownConfiguration } from './schema';
import type { Layer } from './settings';

type AuthLogin = NonNullable<KnownConfiguration['auth_login']>;

/** The token of a cluster, or how to log in for one, as far as its configuration says. */
export function configuredCredential(
  cluster: string,
  token: string | undefined,
  login: AuthLogin | null | undefined,
  diagnostics: Diagnostics,
): Layer['credential'] {
  if (!login) return token ? { token } : undefined;
  const place = ['clusters', cluster, 'auth_login'];
  if (token) {
    diagnostics.error(
      `cluster "${cluster}": token and auth_login are both given`,
      'Allowed: one of them.\nTo do: leave out token to log in, or auth_login to use the token.',
      place,
    );
  }
  const { namespace, parameters } = login;
  const path = login.path || usualPath(login);
  if (path === undefined) {
    diagnostics.error(
      `cluster "${cluster}": auth_login says neither path nor method`,
      'Allowed: path, such as "auth/approle/login", or method, such as "approle".\nTo do: set one of them.',
      place,
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
