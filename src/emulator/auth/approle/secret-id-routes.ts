import { route, type LogicalResponse, type MountContext, type Route } from '../../core/backend';
import { codedError, invalidRequest, LogicalError } from '../../core/errors';
import type { Decoded } from '../../core/input/field-schemas';
import { uuid } from '../../core/primitives/identifiers';
import { cidrsContain } from '../../core/primitives/cidr';
import { isBlock, ROLE_NAME } from './role-fields';
import { Roles, type Role } from './roles';
import { parseSecretIdMetadata } from './secret-id-metadata';
import { describeSecretId, SecretIds } from './secret-ids';

const SECRET_ID = { type: 'string', default: '', description: 'The secret id.' } as const;
const SECRET_ID_ACCESSOR = {
  type: 'string',
  default: '',
  description: 'The accessor of a secret id.',
} as const;
const NEW_SECRET_ID_FIELDS = {
  role_name: ROLE_NAME,
  metadata: {
    type: 'string',
    default: '',
    description: 'Metadata for the token, as JSON or key=value pairs.',
  },
  cidr_list: { type: 'comma_string_list', default: [], description: 'CIDR blocks that may log in.' },
  token_bound_cidrs: {
    type: 'comma_string_list',
    default: [],
    description: 'CIDR blocks that may use the token.',
  },
  num_uses: { type: 'integer', description: "Number of logins. Default: the role's." },
  ttl: { type: 'duration', description: "TTL. Default: the role's." },
} as const;

/** Issues, lists, looks up and destroys secret ids. */
export function secretIdRoutes(context: MountContext): Route[] {
  const roles = new Roles(context.storage);
  const secretIdsOf = (role: Role) => new SecretIds(context.storage, role.name, context.clock);

  const issue = (data: Decoded<typeof NEW_SECRET_ID_FIELDS>, secret: string): LogicalResponse => {
    const role = roles.get(data.role_name);
    if (role === undefined) throw new LogicalError(404, `role "${data.role_name}" does not exist`);
    if (!role.bindSecretId) throw invalidRequest('bind_secret_id is not set on the role');
    checkCidrs(data.cidr_list, role.secretIdBoundCidrs ?? [], 'CIDR blocks');
    checkCidrs(data.token_bound_cidrs, role.token.token_bound_cidrs, 'token CIDR blocks');

    const ttl = ttlWithin(role, data.ttl);
    // A TTL above the mount's maximum is reduced to the maximum.
    const lifetime = Math.min(ttl, context.leaseTtls().max);
    const entry = secretIdsOf(role).register(
      secret,
      {
        usesLeft: usesWithin(role, data.num_uses),
        ttl,
        metadata: parseSecretIdMetadata(data.metadata),
        cidrs: data.cidr_list,
        tokenCidrs: data.token_bound_cidrs,
      },
      lifetime,
    );
    return {
      data: {
        secret_id: secret,
        secret_id_accessor: entry.accessor,
        secret_id_num_uses: entry.usesLeft,
        secret_id_ttl: lifetime,
      },
    };
  };

  const destroy = ({ data }: { data: { role_name: string; secret_id: string } }) => {
    if (data.secret_id === '') throw invalidRequest('missing secret_id');
    const secretIds = secretIdsOf(roles.require(data.role_name));
    const entry = secretIds.get(data.secret_id);
    if (entry !== undefined) secretIds.destroy(entry.accessor);
  };

  const destroyByAccessor = ({ data }: { data: { role_name: string; secret_id_accessor: string } }) => {
    if (data.secret_id_accessor === '') throw invalidRequest('missing secret_id_accessor');
    const secretIds = secretIdsOf(roles.require(data.role_name));
    if (secretIds.byAccessor(data.secret_id_accessor) === undefined) {
      throw codedError(500, unknownAccessor(data.secret_id_accessor));
    }
    secretIds.destroy(data.secret_id_accessor);
  };

  return [
    route({
      pattern: 'role/:role_name/secret-id',
      fields: NEW_SECRET_ID_FIELDS,
      operations: {
        update: ({ data }) => issue(data, uuid()),
        list: ({ data }) => {
          const role = roles.get(data.role_name);
          if (role === undefined) throw invalidRequest(`role "${data.role_name}" does not exist`);
          const accessors = secretIdsOf(role)
            .all()
            .map(({ accessor }) => accessor);
          return { data: { keys: accessors } };
        },
      },
      help: { synopsis: 'Generate a secret id against this role, or list the accessors of those there are.' },
    }),
    route({
      pattern: 'role/:role_name/custom-secret-id',
      fields: { ...NEW_SECRET_ID_FIELDS, secret_id: SECRET_ID },
      operations: {
        update: ({ data }) => {
          if (data.secret_id === '') throw invalidRequest('missing secret_id');
          return issue(data, data.secret_id);
        },
      },
      help: { synopsis: 'Assign a secret id of choice against the role.' },
    }),
    route({
      pattern: 'role/:role_name/secret-id/lookup',
      fields: { role_name: ROLE_NAME, secret_id: SECRET_ID },
      operations: {
        update: ({ data }) => {
          if (data.secret_id === '') throw invalidRequest('missing secret_id');
          const entry = secretIdsOf(roles.require(data.role_name)).get(data.secret_id);
          return entry && { data: describeSecretId(entry) };
        },
      },
      help: { synopsis: 'Read the properties of an issued secret id.' },
    }),
    route({
      pattern: 'role/:role_name/secret-id/destroy',
      fields: { role_name: ROLE_NAME, secret_id: SECRET_ID },
      operations: { update: destroy, delete: destroy },
      help: { synopsis: 'Invalidate an issued secret id.' },
    }),
    route({
      pattern: 'role/:role_name/secret-id-accessor/lookup',
      fields: { role_name: ROLE_NAME, secret_id_accessor: SECRET_ID_ACCESSOR },
      operations: {
        update: ({ data }) => {
          if (data.secret_id_accessor === '') throw invalidRequest('missing secret_id_accessor');
          const entry = secretIdsOf(roles.require(data.role_name)).byAccessor(data.secret_id_accessor);
          if (entry !== undefined) return { data: describeSecretId(entry) };
          return { status: 404, data: { error: unknownAccessor(data.secret_id_accessor) } };
        },
      },
      help: { synopsis: 'Read the properties of a secret id by its accessor.' },
    }),
    route({
      pattern: 'role/:role_name/secret-id-accessor/destroy',
      fields: { role_name: ROLE_NAME, secret_id_accessor: SECRET_ID_ACCESSOR },
      operations: { update: destroyByAccessor, delete: destroyByAccessor },
      help: { synopsis: 'Invalidate a secret id by its accessor.' },
    }),
  ];
}

function unknownAccessor(accessor: string): string {
  return `failed to find accessor entry for secret_id_accessor: "${accessor}"`;
}

function checkCidrs(wanted: readonly string[], allowed: readonly string[], what: string): void {
  const bad = wanted.find((cidr) => !isBlock(cidr));
  if (bad !== undefined) {
    throw codedError(500, `failed to validate ${what}: invalid CIDR address: ${bad}`);
  }
  if (cidrsContain(allowed, wanted)) return;
  const quoted = (cidrs: readonly string[]) => `[${cidrs.map((cidr) => `"${cidr}"`).join(' ')}]`;
  throw codedError(
    500,
    `failed to verify subset relationship between CIDR blocks on the role ${quoted(allowed)} and CIDR blocks on ` +
      `the secret ID ${quoted(wanted)}`,
  );
}

function usesWithin(role: Role, wanted: number | undefined): number {
  if (wanted === undefined) return role.secretIdNumUses;
  if (wanted < 0) throw invalidRequest('num_uses cannot be negative');
  if (exceeds(wanted, role.secretIdNumUses)) {
    throw invalidRequest("num_uses cannot be higher than the role's secret_id_num_uses");
  }
  return wanted;
}

function ttlWithin(role: Role, wanted: number | undefined): number {
  if (wanted === undefined) return role.secretIdTtl;
  if (exceeds(wanted, role.secretIdTtl)) {
    throw invalidRequest("ttl cannot be longer than the role's secret_id_ttl");
  }
  return wanted;
}

/** Whether a requested limit is above that of the role; 0 means no limit. */
function exceeds(wanted: number, limit: number): boolean {
  return limit > 0 && (wanted === 0 || wanted > limit);
}
