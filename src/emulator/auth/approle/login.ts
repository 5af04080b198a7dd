import { route, type MountContext, type Route } from '../../core/backend';
import { codedError, invalidRequest } from '../../core/errors';
import { cidrsAllow, cidrsContain } from '../../core/primitives/cidr';
import { tokenRequest } from '../token-params';
import { Roles, type Role } from './roles';
import { SecretIds, type SecretId } from './secret-ids';

/** Exchanges a role id and a secret id for a token. */
export function loginRoute({ storage, clock }: MountContext): Route {
  const roles = new Roles(storage);
  return route({
    pattern: 'login',
    fields: {
      role_id: { type: 'string', default: '', description: 'Unique identifier of the role.' },
      secret_id: { type: 'string', default: '', description: 'A secret id of the role.' },
    },
    operations: {
      update: ({ data, remoteAddress }) => {
        const roleId = data.role_id.trim();
        if (roleId === '') throw invalidRequest('missing role_id');
        const role = roles.byRoleId(roleId);
        if (role === undefined) throw refused();
        const secretId = role.bindSecretId
          ? useSecretId(role, data.secret_id.trim(), new SecretIds(storage, role.name, clock), remoteAddress)
          : undefined;
        if (!cidrsAllow(role.secretIdBoundCidrs ?? [], remoteAddress)) {
          throw invalidRequest(
            `source address "${remoteAddress}" unauthorized by CIDR restrictions on the role`,
          );
        }
        const auth = tokenRequest(role.token, {
          displayName: '',
          metadata: { ...secretId?.metadata, role_name: role.name },
          name: role.roleId,
        });
        const tokenCidrs = secretId?.tokenCidrs ?? [];
        return { auth: tokenCidrs.length === 0 ? auth : { ...auth, boundCidrs: tokenCidrs } };
      },
    },
    help: { synopsis: 'Issue a token based on the credentials supplied' },
  });
}

function useSecretId(role: Role, secret: string, secretIds: SecretIds, remoteAddress: string): SecretId {
  if (secret === '') throw invalidRequest('missing secret_id');
  const entry = secretIds.get(secret);
  if (entry === undefined) throw refused();
  secretIds.use(secret, entry);
  if (!cidrsContain(role.secretIdBoundCidrs ?? [], entry.cidrs)) {
    throw codedError(
      500,
      'failed to verify subset relationship between CIDR blocks on the role and the secret ID',
    );
  }
  if (!cidrsAllow(entry.cidrs, remoteAddress)) {
    throw invalidRequest(
      `source address "${remoteAddress}" unauthorized through CIDR restrictions on the secret ID`,
    );
  }
  return entry;
}

function refused() {
  return invalidRequest('invalid role or secret ID');
}
