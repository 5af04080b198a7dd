import type { Backend, MountContext } from '../../core/backend';
import { loginRoute } from './login';
import { roleRoutes } from './role-routes';
import { secretIdRoutes } from './secret-id-routes';

/** Logins of machines, with a role id and a secret id. */
export function approle(context: MountContext): Backend {
  return {
    type: 'approle',
    help: 'Any registered role can authenticate itself with its role id and a secret id.',
    unauthenticatedPaths: ['login'],
    routes: [...roleRoutes(context), ...secretIdRoutes(context), loginRoute(context)],
  };
}
