import { type TokenParams, parseCidr, TOKEN_FIELDS, tokenParams } from '../auth/token-params';
import type { LogicalRequest, LogicalResponse } from '../core/backend';
import { LogicalError, invalidRequest } from '../core/errors';
import type { FieldSchemas } from '../core/input/field-schemas';
import type { JsonObject } from '../core/primitives/json';
import { policyName, sanitizePolicies } from '../core/stores/policy-store';
import type { Storage } from '../core/primitives/storage';

/** The properties of tokens that are created with a role. TTLs are in seconds. */
export interface TokenRole extends JsonObject {
  readonly name: string;
  readonly allowed_policies: readonly string[];
  readonly disallowed_policies: readonly string[];
  readonly allowed_policies_glob: readonly string[];
  readonly disallowed_policies_glob: readonly string[];
  readonly allowed_entity_aliases: readonly string[] | null;
  readonly orphan: boolean;
  readonly renewable: boolean;
  readonly path_suffix: string;
  readonly token_type: string;
  /** The fields that roles of all auth methods have. */
  readonly params: TokenParams;
  /**
   * The values of fields that were written under their old names. Reads show them under these
   * names.
   */
  readonly first: {
    readonly period: number;
    readonly explicit_max_ttl: number;
    readonly bound_cidrs: readonly string[];
  };
}

export const ROLE_FIELDS = {
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
  token_bound_cidrs: TOKEN_FIELDS.token_bound_cidrs,
  token_explicit_max_ttl: TOKEN_FIELDS.token_explicit_max_ttl,
  token_no_default_policy: TOKEN_FIELDS.token_no_default_policy,
  token_num_uses: TOKEN_FIELDS.token_num_uses,
  token_period: TOKEN_FIELDS.token_period,
  token_type: { type: 'string', description: 'service, batch, default-service or default-batch.' },
  period: { type: 'duration', description: "Use 'token_period' instead." },
  explicit_max_ttl: { type: 'duration', description: "Use 'token_explicit_max_ttl' instead." },
  bound_cidrs: { type: 'comma_string_list', description: "Use 'token_bound_cidrs' instead." },
} as const satisfies FieldSchemas;

type Sent = LogicalRequest<typeof ROLE_FIELDS>['data'];

const TOKEN_TYPES = ['service', 'batch', 'default-service', 'default-batch'];
const PATH_SUFFIX = /\w[\w-.]+\w/;

export function readRole(storage: Storage, name: string): TokenRole | undefined {
  return storage.get<TokenRole>(`roles/${name}`);
}

/**
 * Writes a role: the sent fields, and the stored ones for the others.
 *
 * @param maxTtl the mount's longest TTL in seconds.
 * @returns warnings for the caller.
 * @throws LogicalError if a field is not valid.
 */
export function writeRole(storage: Storage, sent: Sent, maxTtl: number): readonly string[] {
  const role = mergeRole(sent, readRole(storage, sent.role_name));
  checkBatchRole(role);
  storage.put(`roles/${role.name}`, role);
  return writeWarnings(sent, role, maxTtl);
}

function mergeRole(sent: Sent, before: TokenRole | undefined): TokenRole {
  if (sent.path_suffix && !PATH_SUFFIX.test(sent.path_suffix)) {
    throw invalidRequest(
      `given role path suffix contains invalid characters; must match ${PATH_SUFFIX.source}`,
    );
  }
  const params = sharedParams(sent, before);
  if (sent.token_type !== undefined && !TOKEN_TYPES.includes(sent.token_type)) {
    throw invalidRequest(`invalid 'token_type' value "${sent.token_type}"`);
  }
  return {
    name: sent.role_name,
    allowed_policies: mapped(sent.allowed_policies, sanitized) ?? before?.allowed_policies ?? [],
    disallowed_policies: mapped(sent.disallowed_policies, folded) ?? before?.disallowed_policies ?? [],
    allowed_policies_glob:
      mapped(sent.allowed_policies_glob, sanitized) ?? before?.allowed_policies_glob ?? [],
    disallowed_policies_glob:
      mapped(sent.disallowed_policies_glob, folded) ?? before?.disallowed_policies_glob ?? [],
    allowed_entity_aliases:
      mapped(sent.allowed_entity_aliases, folded) ?? before?.allowed_entity_aliases ?? null,
    orphan: sent.orphan ?? before?.orphan ?? false,
    renewable: sent.renewable ?? before?.renewable ?? true,
    path_suffix: sent.path_suffix ?? before?.path_suffix ?? '',
    token_type: sent.token_type ?? before?.token_type ?? 'default-service',
    params: {
      ...params,
      ...(sent.token_period === undefined && sent.period !== undefined && { token_period: sent.period }),
      ...(sent.token_explicit_max_ttl === undefined &&
        sent.explicit_max_ttl !== undefined && { token_explicit_max_ttl: sent.explicit_max_ttl }),
      ...(sent.token_bound_cidrs === undefined &&
        sent.bound_cidrs !== undefined && { token_bound_cidrs: sent.bound_cidrs.map(parseCidr) }),
    },
    first: {
      period: firstName(sent.period, sent.token_period, before?.first.period, 0),
      explicit_max_ttl: firstName(
        sent.explicit_max_ttl,
        sent.token_explicit_max_ttl,
        before?.first.explicit_max_ttl,
        0,
      ),
      bound_cidrs: firstName(
        sent.bound_cidrs?.map(parseCidr),
        sent.token_bound_cidrs,
        before?.first.bound_cidrs,
        [],
      ),
    },
  };
}

/**
 * Returns the fields that all auth methods share. Roles of the token store have further token
 * types; of these, only batch affects the other fields.
 */
function sharedParams(sent: Sent, before: TokenRole | undefined): TokenParams {
  const stillBatch = sent.token_type === undefined && before?.token_type.endsWith('batch') === true;
  const { token_bound_cidrs, token_explicit_max_ttl, token_no_default_policy, token_num_uses, token_period } =
    sent;
  const shared = {
    token_bound_cidrs,
    token_explicit_max_ttl,
    token_no_default_policy,
    token_num_uses,
    token_period,
  };
  try {
    return tokenParams({ ...shared, token_type: stillBatch ? 'batch' : 'default' }, before?.params);
  } catch (error) {
    if (!(error instanceof LogicalError)) throw error;
    throw invalidRequest(`error parsing role fields: ${error.message}`);
  }
}

/**
 * Returns the value for the old name of a field: the written one, or `empty` once the new name is
 * used.
 */
function firstName<T>(sent: T | undefined, sentAnew: unknown, before: T | undefined, empty: T): T {
  return sentAnew === undefined ? (sent ?? before ?? empty) : empty;
}

function mapped(names: readonly string[] | undefined, map: (names: readonly string[]) => readonly string[]) {
  return names && map(names);
}

function sanitized(names: readonly string[]): readonly string[] {
  return sanitizePolicies(names);
}

function folded(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(policyName))].sort();
}

function checkBatchRole({ token_type, orphan, renewable, params }: TokenRole): void {
  if (token_type !== 'batch') return;
  const reasons: readonly [boolean, string][] = [
    [!orphan, 'non-orphan tokens'],
    [params.token_period > 0, 'periodic tokens'],
    [renewable, 'renewable tokens'],
    [params.token_explicit_max_ttl > 0, 'tokens with an explicit max TTL'],
  ];
  const [, reason] = reasons.find(([applies]) => applies) ?? [];
  if (reason !== undefined) {
    throw invalidRequest(`'token_type' cannot be 'batch' when role is set to generate ${reason}`);
  }
}

function writeWarnings(sent: Sent, { params }: TokenRole, maxTtl: number): string[] {
  const twice = (['period', 'bound_cidrs', 'explicit_max_ttl'] as const).filter(
    (name) => sent[name] !== undefined && sent[`token_${name}`] !== undefined,
  );
  const warnings = twice.map(
    (name) => `Both 'token_${name}' and deprecated '${name}' value supplied, ignoring the deprecated value`,
  );
  const { token_explicit_max_ttl: longest } = params;
  if (longest > maxTtl) {
    warnings.push(
      `Given explicit max TTL of ${longest} is greater than system/mount allowed value of ${maxTtl} seconds; ` +
        'until this is fixed attempting to create tokens against this role will result in an error',
    );
  }
  return warnings;
}

/** Returns the fields of a read of a role. */
export function showRole({ params, first, ...own }: TokenRole): LogicalResponse {
  const { token_period, token_explicit_max_ttl, token_no_default_policy, token_bound_cidrs, token_num_uses } =
    params;
  const { bound_cidrs, ...times } = first;
  return {
    data: {
      ...own,
      ...times,
      token_period,
      token_explicit_max_ttl,
      token_no_default_policy,
      ...(token_bound_cidrs.length > 0 && { token_bound_cidrs }),
      ...(bound_cidrs.length > 0 && { bound_cidrs }),
      ...(token_num_uses > 0 && { token_num_uses }),
    },
  };
}
