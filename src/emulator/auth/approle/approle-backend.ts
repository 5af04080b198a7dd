import type { MountBackend, LoginLimits, MountContext } from '../../core/backend';
import { codedError } from '../../core/errors';
import { loginLimits } from '../token-params';
import { loginRoute } from './login';
import { roleRoutes } from './role-routes';
import { Roles } from './roles';
import { secretIdRoutes } from './secret-id-routes';

/** Creates the auth method for machines, which log in with a role id and a secret id. */
export function approle(context: MountContext): MountBackend {
  return {
    type: 'approle',
    help: 'Any registered role can authenticate itself with its role id and a secret id.',
    unauthenticatedPaths: ['login'],
    loginName: (_, { role_id: roleId }) =>
      typeof roleId === 'string' ? new Roles(context.storage).byRoleId(roleId.trim())?.roleId : undefined,
    renewLogin: ({ metadata }) => renewedLimits(context, metadata?.['role_name'] ?? ''),
    routes: [...roleRoutes(context), ...secretIdRoutes(context), loginRoute(context)],
  };
}

function renewedLimits({ storage }: MountContext, roleName: string): LoginLimits {
  const role = new Roles(storage).get(roleName);
  if (role === undefined) throw codedError(500, `role "${roleName}" does not exist during renewal`);
  return loginLimits(role.token);
}
