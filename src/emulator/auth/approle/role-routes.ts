import { formatDuration } from '../../../model';
import { route, type LogicalResponse, type MountContext, type Route } from '../../core/backend';
import { invalidRequest, unsupportedPath } from '../../core/errors';
import type { Decoded } from '../../core/input/field-schemas';
import { describeRole, ROLE_FIELDS, roleFrom, ROLE_NAME } from './role-fields';
import { Roles, type Role } from './roles';
import { SecretIds } from './secret-ids';

/** Routes for whole roles and for their single fields. */
export function roleRoutes(context: MountContext): Route[] {
  const roles = new Roles(context.storage);
  return [
    roleList(roles),
    role(context, roles),
    roleId(roles),
    localSecretIds(context, roles),
    ...fieldRoutes(context, roles),
  ];
}

function roleList(roles: Roles): Route {
  return route({
    pattern: 'role',
    operations: { list: () => ({ data: { keys: roles.names() } }) },
    help: { synopsis: 'Lists all the roles registered with the backend.' },
  });
}

function role(context: MountContext, roles: Roles): Route {
  const fields = { ...ROLE_FIELDS, role_name: ROLE_NAME } as const;
  const save = ({ data }: { data: Decoded<typeof fields> }) => {
    const token = tokenType(data.token_type);
    const saved = roleFrom(data.role_name, { ...data, token_type: token.type }, roles.get(data.role_name));
    checkPeriod(saved, context);
    roles.put(saved);
    const warnings = [...token.warnings, ...maxTtlWarnings(saved, context)];
    return warnings.length === 0 ? undefined : { warnings };
  };
  return route({
    pattern: 'role/:role_name',
    fields,
    exists: ({ data }) => roles.get(data.role_name) !== undefined,
    operations: {
      read: ({ data }) => {
        const found = roles.get(data.role_name);
        return found && { data: describeRole(found, context.server) };
      },
      create: save,
      update: save,
      delete: ({ data }) => {
        const found = roles.get(data.role_name);
        if (found === undefined) return;
        new SecretIds(context.storage, found.name, context.clock).destroyAll();
        roles.delete(found);
      },
    },
    help: { synopsis: 'Register an role with the backend.' },
  });
}

function roleId(roles: Roles): Route {
  return route({
    pattern: 'role/:role_name/role-id',
    fields: { role_name: ROLE_NAME, role_id: ROLE_FIELDS.role_id },
    operations: {
      read: ({ data }) => {
        const found = roles.get(data.role_name);
        return found && { data: { role_id: found.roleId } };
      },
      update: ({ data }) => {
        const found = roles.get(data.role_name);
        if (found === undefined) throw unsupportedPath();
        if (!data.role_id) throw invalidRequest('missing role_id');
        roles.put({ ...found, roleId: data.role_id });
      },
    },
    help: { synopsis: 'Returns the `role_id` of the role.' },
  });
}

type FieldName = keyof typeof ROLE_FIELDS;

/**
 * The routes of single fields, by the last segment of their path. Each has the names of its field,
 * the old name last, and the value that a delete sets.
 */
const SINGLE_FIELDS: Readonly<
  Record<string, { names: readonly [FieldName, ...FieldName[]]; default: unknown }>
> = {
  policies: { names: ['token_policies', 'policies'], default: [] },
  period: { names: ['token_period', 'period'], default: 0 },
  'bind-secret-id': { names: ['bind_secret_id'], default: true },
  'secret-id-bound-cidrs': { names: ['secret_id_bound_cidrs'], default: [] },
  'secret-id-num-uses': { names: ['secret_id_num_uses'], default: 0 },
  'secret-id-ttl': { names: ['secret_id_ttl'], default: 0 },
  'token-bound-cidrs': { names: ['token_bound_cidrs'], default: [] },
  'token-max-ttl': { names: ['token_max_ttl'], default: 0 },
  'token-num-uses': { names: ['token_num_uses'], default: 0 },
  'token-ttl': { names: ['token_ttl'], default: 0 },
};

function fieldRoutes(context: MountContext, roles: Roles): Route[] {
  return Object.entries(SINGLE_FIELDS).map(([segment, { names, default: byDefault }]) =>
    route({
      pattern: `role/:role_name/${segment}`,
      fields: { ...ROLE_FIELDS, role_name: ROLE_NAME },
      operations: {
        read: ({ data }) => readFields(context, roles, data.role_name, names),
        update: ({ data }) => {
          const found = roles.get(data.role_name);
          if (found === undefined) throw unsupportedPath();
          const sent = Object.fromEntries(names.map((name) => [name, data[name]]));
          if (names.every((name) => sent[name] === undefined)) throw invalidRequest(`missing ${names[0]}`);
          const saved = roleFrom(found.name, sent, found);
          checkPeriod(saved, context);
          roles.put(saved);
        },
        delete: ({ data }) => {
          const found = roles.get(data.role_name);
          if (found !== undefined) roles.put(roleFrom(found.name, { [names[0]]: byDefault }, found));
        },
      },
      help: { synopsis: `The fields of a role that are named ${names.join(' or ')}.` },
    }),
  );
}

function localSecretIds(context: MountContext, roles: Roles): Route {
  return route({
    pattern: 'role/:role_name/local-secret-ids',
    fields: { role_name: ROLE_NAME },
    operations: { read: ({ data }) => readFields(context, roles, data.role_name, ['local_secret_ids']) },
    help: { synopsis: 'Whether the secret ids of the role stay on this cluster.' },
  });
}

function readFields(
  { server }: MountContext,
  roles: Roles,
  name: string,
  fields: readonly FieldName[],
): LogicalResponse | undefined {
  const found = roles.get(name);
  if (found === undefined) return undefined;
  const all = describeRole(found, server);
  return {
    data: Object.fromEntries(fields.filter((field) => field in all).map((field) => [field, all[field]])),
  };
}

function checkPeriod({ token }: Role, { leaseTtls }: MountContext): void {
  const { max } = leaseTtls();
  if (token.token_period <= max) return;
  throw invalidRequest(
    `period of "${formatDuration(token.token_period)}" is greater than the backend's maximum lease TTL of ` +
      `"${formatDuration(max)}"`,
  );
}

function maxTtlWarnings({ token }: Role, { leaseTtls }: MountContext): string[] {
  if (token.token_max_ttl <= leaseTtls().max) return [];
  return [
    "token_max_ttl is greater than the backend mount's maximum TTL value; issued tokens' max TTL value will be truncated",
  ];
}

/**
 * The types `default-service` and `default-batch` are for mounts; on a role the server reads them
 * as `service` and `batch`.
 */
function tokenType(sent: string | undefined): { type: string | undefined; warnings: string[] } {
  const type = /^default-(service|batch)$/.exec(sent ?? '')?.[1];
  if (type === undefined) return { type: sent, warnings: [] };
  return { type, warnings: [`${sent} has no useful meaning; adjusting to ${type}`] };
}
