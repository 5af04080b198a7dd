import type { Backend, MountContext } from '../../core/backend';
import { configRoute } from './config';
import { loginRoute } from './login';
import { roleRoutes } from './roles';

/** Logins with signed tokens of somebody else's, checked with public keys that the configuration holds. */
export function jwt(context: MountContext): Backend {
  return {
    type: 'jwt',
    help: 'Authenticates by JSON web tokens.',
    unauthenticatedPaths: ['login'],
    routes: [configRoute(context), ...roleRoutes(context), loginRoute(context)],
  };
}
