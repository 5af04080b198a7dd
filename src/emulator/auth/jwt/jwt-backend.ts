import type { MountBackend, LoginLimits, MountContext } from '../../core/backend';
import { codedError } from '../../core/errors';
import { loginLimits } from '../token-params';
import { configRoute } from './config';
import { loginName, loginRoute } from './login';
import { jwtRole } from './role';
import { roleRoutes } from './roles';

/**
 * Creates the auth method for tokens of external issuers, which are verified with configured public
 * keys.
 */
export function jwt(context: MountContext): MountBackend {
  return {
    type: 'jwt',
    help: 'Authenticates by JSON web tokens.',
    unauthenticatedPaths: ['login'],
    loginName: (_, body) => loginName(context, body),
    renewLogin: ({ metadata }) => renewedLimits(context, metadata?.['role'] ?? ''),
    routes: [configRoute(context), ...roleRoutes(context), loginRoute(context)],
  };
}

function renewedLimits({ storage }: MountContext, roleName: string): LoginLimits {
  const role = jwtRole(storage, roleName);
  if (role === undefined) throw codedError(500, `role ${roleName} does not exist during renewal`);
  return loginLimits(role.token);
}
