import type { AuthRequest, LoginAlias, LoginLimits, ServerFlavour } from '../core/backend';
import { invalidRequest } from '../core/errors';
import { type Decoded, type FieldSchemas, updated, type FieldData } from '../core/input/field-schemas';
import type { JsonObject } from '../core/primitives/json';
import { canonicalCidr } from '../core/primitives/cidr';

/** The fields that roles and users of all auth methods share: the properties of a login's token. */
export const TOKEN_FIELDS = {
  alias_metadata: { type: 'key_values', description: "Metadata for the alias of the user's entity." },
  token_bound_cidrs: {
    type: 'comma_string_list',
    description: 'Addresses and CIDR blocks that may log in and use the token.',
  },
  token_explicit_max_ttl: {
    type: 'duration',
    description: 'Maximum lifetime of the token, regardless of renewals.',
  },
  token_max_ttl: { type: 'duration', description: 'The maximum lifetime of the generated token' },
  token_no_default_policy: { type: 'boolean', description: "Leaves out the policy 'default'." },
  token_num_uses: { type: 'integer', description: 'How often the token may be used; 0 for no limit.' },
  token_period: {
    type: 'duration',
    description: 'The token does not expire as long as it is renewed within this time.',
  },
  token_policies: { type: 'comma_string_list', description: 'Comma-separated list of policies' },
  token_ttl: { type: 'duration', description: 'The initial ttl of the token to generate' },
  token_type: { type: 'string', description: 'The type of token to generate, service or batch' },
} as const satisfies FieldSchemas;

/**
 * The token properties of a role or user, by the names in requests and responses. TTLs are in
 * seconds.
 */
export type TokenParams = Omit<FieldData<typeof TOKEN_FIELDS>, 'token_type'> & {
  readonly token_type: 'default' | 'service' | 'batch';
};

const DEFAULTS: TokenParams = {
  alias_metadata: {},
  token_bound_cidrs: [],
  token_explicit_max_ttl: 0,
  token_max_ttl: 0,
  token_no_default_policy: false,
  token_num_uses: 0,
  token_period: 0,
  token_policies: [],
  token_ttl: 0,
  token_type: 'default',
};

/**
 * Returns the stored properties, or the defaults, updated with the request.
 *
 * @throws LogicalError for values that are not valid.
 */
export function tokenParams(
  sent: Partial<Decoded<typeof TOKEN_FIELDS>>,
  before: TokenParams = DEFAULTS,
): TokenParams {
  const { token_bound_cidrs: cidrs, token_type: type } = sent;
  const params: TokenParams = {
    ...updated(before, sent),
    token_bound_cidrs: cidrs?.map(parseCidr) ?? before.token_bound_cidrs,
    token_type: type === undefined ? before.token_type : parseType(type),
  };
  check(params);
  return params;
}

/**
 * Returns the properties that reads of a role or user show. Older servers have no metadata for
 * aliases.
 */
export function describeTokenParams(params: TokenParams, server: ServerFlavour): JsonObject {
  const { alias_metadata, ...others } = params;
  return server.atLeast(...server.assumed('aliasMetadata').since) ? { alias_metadata, ...others } : others;
}

/** Returns the limits that apply when a token of a login is created or renewed. */
export function loginLimits(params: TokenParams): LoginLimits {
  return {
    ttlSeconds: params.token_ttl,
    maxTtlSeconds: params.token_max_ttl,
    periodSeconds: params.token_period,
  };
}

/** Returns the token that a login requests. */
export function tokenRequest(
  params: TokenParams,
  user: { readonly name: string; readonly aliasMetadata?: LoginAlias['metadata'] } & Pick<
    AuthRequest,
    'displayName' | 'metadata'
  >,
): AuthRequest {
  const { name, aliasMetadata = user.metadata ?? null, ...shown } = user;
  return {
    ...shown,
    alias: { name, metadata: aliasMetadata, customMetadata: params.alias_metadata },
    policies: params.token_policies,
    ...loginLimits(params),
    explicitMaxTtlSeconds: params.token_explicit_max_ttl,
    numUses: params.token_num_uses,
    noDefaultPolicy: params.token_no_default_policy,
    boundCidrs: params.token_bound_cidrs,
    ...(params.token_type !== 'default' && { type: params.token_type }),
  };
}

/** @throws LogicalError if the text is neither an address nor a block. */
export function parseCidr(text: string): string {
  const cidr = canonicalCidr(text);
  if (cidr !== undefined) return cidr;
  throw invalidRequest(
    `error parsing address "${text}": Unable to convert "${text}" to an IPv4 or IPv6 address, or a UNIX Socket`,
  );
}

function parseType(type: string): TokenParams['token_type'] {
  switch (type) {
    case '':
    case 'default':
      return 'default';
    case 'service':
    case 'batch':
      return type;
    default:
      throw invalidRequest(`invalid 'token_type' value "${type}"`);
  }
}

function check(params: TokenParams): void {
  const { token_num_uses, token_period, token_ttl, token_max_ttl, token_type } = params;
  if (token_num_uses < 0) throw invalidRequest("'token_num_uses' cannot be negative");
  if (token_type === 'batch' && token_period !== 0) {
    throw invalidRequest(
      "'token_type' cannot be 'batch' or 'default_batch' when set to generate periodic tokens",
    );
  }
  if (token_type === 'batch' && token_num_uses !== 0) {
    throw invalidRequest(
      "'token_type' cannot be 'batch' or 'default_batch' when set to generate tokens with limited use count",
    );
  }
  if (token_ttl > 0 && token_max_ttl > 0 && token_ttl > token_max_ttl) {
    throw invalidRequest("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
}
