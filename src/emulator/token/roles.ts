import {
  type LogicalRequest,
  type LogicalResponse,
  type MountContext,
  type Route,
  route,
} from '../core/backend';
import { canonicalCidr } from '../core/cidr';
import { invalidRequest } from '../core/errors';
import type { FieldSchemas } from '../core/fields';
import type { JsonObject } from '../core/json';
import { policyName, sanitizePolicies } from '../core/policies';
import type { Storage } from '../core/storage';

/** What tokens of a role are like. TTLs are in seconds. */
export interface TokenRole extends JsonObject {
  readonly name: string;
  readonly allowed_policies: readonly string[];
  readonly disallowed_policies: readonly string[];
  readonly allowed_policies_glob: readonly string[];
  readonly disallowed_policies_glob: readonly string[];
  readonly allowed_entity_aliases: readonly string[];
  readonly orphan: boolean;
  readonly renewable: boolean;
  readonly path_suffix: string;
  readonly token_type: string;
  readonly token_no_default_policy: boolean;
  readonly token_period: number;
  readonly token_explicit_max_ttl: number;
  readonly token_num_uses: number;
  readonly token_bound_cidrs: readonly string[];
  /** What was written under a field's old name, which is read back under both. */
  readonly period: number;
  readonly explicit_max_ttl: number;
  readonly bound_cidrs: readonly string[];
}

const fields = {
  role_name: { type: 'string', path: true, description: 'Name of the role' },
  allowed_policies: { type: 'comma_string_list', description: 'Policies that tokens of the role may have.' },
  disallowed_policies: {
    type: 'comma_string_list',
    description: 'Policies that tokens of the role may not have.',
  },
  allowed_policies_glob: {
    type: 'comma_string_list',
    description: 'As allowed_policies, with * for any text.',
  },
  disallowed_policies_glob: {
    type: 'comma_string_list',
    description: 'As disallowed_policies, with * for any text.',
  },
  allowed_entity_aliases: { type: 'comma_string_list', description: 'Entity aliases that may be asked for.' },
  orphan: { type: 'boolean', description: 'Tokens of the role have no parent.' },
  renewable: { type: 'boolean', description: 'Tokens of the role can be renewed. Default: true.' },
  path_suffix: { type: 'string', description: "Added to the tokens' path." },
  token_type: { type: 'string', description: 'service, batch, default-service or default-batch.' },
  token_no_default_policy: { type: 'boolean', description: "Leaves the policy 'default' out." },
  token_period: { type: 'duration', description: 'The token never ends if it is renewed within this time.' },
  token_explicit_max_ttl: {
    type: 'duration',
    description: 'The longest life of a token, whatever renews it.',
  },
  token_num_uses: { type: 'integer', description: 'How often a token may be used; 0 for no limit.' },
  token_bound_cidrs: { type: 'comma_string_list', description: 'Addresses and blocks that may use a token.' },
  period: { type: 'duration', description: "Use 'token_period' instead." },
  explicit_max_ttl: { type: 'duration', description: "Use 'token_explicit_max_ttl' instead." },
  bound_cidrs: { type: 'comma_string_list', description: "Use 'token_bound_cidrs' instead." },
} as const satisfies FieldSchemas;

type RoleRequest = LogicalRequest<typeof fields>;

const tokenTypes = ['service', 'batch', 'default-service', 'default-batch'];
const pathSuffix = /\w[\w-.]+\w/;

export function readRole(storage: Storage, name: string): TokenRole | undefined {
  return storage.get<TokenRole>(`roles/${name}`);
}

export function roleRoutes({ storage, leaseTtls }: MountContext): readonly Route[] {
  const write = ({ data }: RoleRequest): LogicalResponse | undefined => {
    const before = readRole(storage, data.role_name);
    const role = mergeRole(data, before);
    checkBatchRole(role);
    storage.put(`roles/${role.name}`, role);
    const warnings = writeWarnings(data, role, leaseTtls().max);
    return warnings.length > 0 ? { warnings } : undefined;
  };
  return [
    route({
      pattern: 'roles',
      operations: { list: () => ({ data: { keys: storage.list('roles/') } }) },
      help: { synopsis: 'Lists the token roles.' },
    }),
    route({
      pattern: 'roles/:role_name',
      fields,
      exists: ({ data }) => readRole(storage, data.role_name) !== undefined,
      operations: {
        read: ({ data }) => showRole(readRole(storage, data.role_name)),
        create: write,
        update: write,
        delete: ({ data }) => {
          storage.delete(`roles/${data.role_name}`);
          return undefined;
        },
      },
      help: { synopsis: 'Reads, writes and deletes a role that tokens are created against.' },
    }),
  ];
}

function mergeRole(data: RoleRequest['data'], before: TokenRole | undefined): TokenRole {
  if (data.path_suffix && !pathSuffix.test(data.path_suffix)) {
    throw invalidRequest(
      `given role path suffix contains invalid characters; must match ${pathSuffix.source}`,
    );
  }
  if (data.token_type !== undefined && !tokenTypes.includes(data.token_type)) {
    throw invalidRequest(`invalid 'token_type' value "${data.token_type}"`);
  }
  return {
    name: data.role_name,
    allowed_policies: data.allowed_policies
      ? sanitizePolicies(data.allowed_policies)
      : (before?.allowed_policies ?? []),
    disallowed_policies: data.disallowed_policies
      ? folded(data.disallowed_policies)
      : (before?.disallowed_policies ?? []),
    allowed_policies_glob: data.allowed_policies_glob
      ? sanitizePolicies(data.allowed_policies_glob)
      : (before?.allowed_policies_glob ?? []),
    disallowed_policies_glob: data.disallowed_policies_glob
      ? folded(data.disallowed_policies_glob)
      : (before?.disallowed_policies_glob ?? []),
    allowed_entity_aliases: data.allowed_entity_aliases
      ? folded(data.allowed_entity_aliases)
      : (before?.allowed_entity_aliases ?? []),
    orphan: data.orphan ?? before?.orphan ?? false,
    renewable: data.renewable ?? before?.renewable ?? true,
    path_suffix: data.path_suffix ?? before?.path_suffix ?? '',
    token_type: data.token_type ?? before?.token_type ?? 'default-service',
    token_no_default_policy: data.token_no_default_policy ?? before?.token_no_default_policy ?? false,
    token_period: data.token_period ?? data.period ?? before?.token_period ?? 0,
    token_explicit_max_ttl:
      data.token_explicit_max_ttl ?? data.explicit_max_ttl ?? before?.token_explicit_max_ttl ?? 0,
    token_num_uses: data.token_num_uses ?? before?.token_num_uses ?? 0,
    token_bound_cidrs:
      (data.token_bound_cidrs ?? data.bound_cidrs)?.map(parseCidr) ?? before?.token_bound_cidrs ?? [],
    period: oldName(data.period, data.token_period !== undefined, before?.period ?? 0, 0),
    explicit_max_ttl: oldName(
      data.explicit_max_ttl,
      data.token_explicit_max_ttl !== undefined,
      before?.explicit_max_ttl ?? 0,
      0,
    ),
    bound_cidrs: oldName(
      data.bound_cidrs?.map(parseCidr),
      data.token_bound_cidrs !== undefined,
      before?.bound_cidrs ?? [],
      [],
    ),
  };
}

/** A field under its old name: kept as it was written, and emptied once the new name is used. */
function oldName<T>(sent: T | undefined, newNameSent: boolean, before: T, empty: T): T {
  return newNameSent ? empty : (sent ?? before);
}

function folded(names: readonly string[]): string[] {
  return [...new Set(names.map(policyName))].sort();
}

function parseCidr(text: string): string {
  const cidr = canonicalCidr(text);
  if (cidr === undefined)
    throw invalidRequest(`error parsing address "${text}": not an IP address or CIDR block`);
  return cidr;
}

function checkBatchRole(role: TokenRole): void {
  if (role.token_type !== 'batch') return;
  const reason = !role.orphan
    ? 'non-orphan tokens'
    : role.token_period > 0
      ? 'periodic tokens'
      : role.renewable
        ? 'renewable tokens'
        : role.token_explicit_max_ttl > 0
          ? 'tokens with an explicit max TTL'
          : undefined;
  if (reason !== undefined) {
    throw invalidRequest(`'token_type' cannot be 'batch' when role is set to generate ${reason}`);
  }
}

function writeWarnings(data: RoleRequest['data'], role: TokenRole, maxTtl: number): string[] {
  const twice = (['period', 'bound_cidrs', 'explicit_max_ttl'] as const).filter(
    (name) => data[name] !== undefined && data[`token_${name}`] !== undefined,
  );
  const warnings = twice.map(
    (name) => `Both 'token_${name}' and deprecated '${name}' value supplied, ignoring the deprecated value`,
  );
  if (role.token_explicit_max_ttl > maxTtl) {
    warnings.push(
      `Given explicit max TTL of ${role.token_explicit_max_ttl} is greater than system/mount allowed value of ${maxTtl} ` +
        'seconds; until this is fixed attempting to create tokens against this role will result in an error',
    );
  }
  return warnings;
}

function showRole(role: TokenRole | undefined): LogicalResponse | undefined {
  if (role === undefined) return undefined;
  const { token_bound_cidrs, bound_cidrs, token_num_uses, ...always } = role;
  return {
    data: {
      ...always,
      ...(token_bound_cidrs.length > 0 && { token_bound_cidrs }),
      ...(bound_cidrs.length > 0 && { bound_cidrs }),
      ...(token_num_uses > 0 && { token_num_uses }),
    },
  };
}
