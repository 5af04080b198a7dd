import type { ServerFlavour } from '../../core/backend';
import { codedError, invalidRequest } from '../../core/errors';
import type { Decoded } from '../../core/input/field-schemas';
import { uuid } from '../../core/primitives/identifiers';
import type { JsonObject } from '../../core/primitives/json';
import { canonicalCidr } from '../../core/primitives/cidr';
import { oldNamesInUse, OLD_TOKEN_FIELDS, underNewNames, underOldNames } from '../old-token-params';
import { describeTokenParams, TOKEN_FIELDS, tokenParams } from '../token-params';
import type { Role } from './roles';

export const ROLE_NAME = {
  type: 'string',
  path: true,
  description: 'Name of the role. Must be less than 4096 bytes.',
} as const;

const { policies, period } = OLD_TOKEN_FIELDS;

/** The fields of a role that can be written. */
export const ROLE_FIELDS = {
  ...TOKEN_FIELDS,
  policies,
  period,
  bind_secret_id: { type: 'boolean', description: 'Logins need a secret id. Defaults to true.' },
  bound_cidr_list: { type: 'comma_string_list', description: 'Use "secret_id_bound_cidrs" instead.' },
  secret_id_bound_cidrs: { type: 'comma_string_list', description: 'CIDR blocks that may log in.' },
  secret_id_num_uses: { type: 'integer', description: 'Number of logins with a secret id; 0 for no limit.' },
  secret_id_ttl: { type: 'duration', description: 'TTL of secret ids; 0 for no limit.' },
  role_id: { type: 'string', description: 'Identifier of the role. Defaults to a UUID.' },
  local_secret_ids: { type: 'boolean', description: 'Secret ids stay on this cluster. Cannot be changed.' },
} as const;

type SentRole = Partial<Decoded<typeof ROLE_FIELDS>>;

/**
 * Returns the role after a write.
 *
 * @throws LogicalError for fields that the server refuses.
 */
export function roleFrom(name: string, sent: SentRole, before: Role | undefined): Role {
  if (before !== undefined && sent.local_secret_ids !== undefined) {
    throw invalidRequest('local_secret_ids can only be modified during role creation');
  }
  const roleId = sent.role_id ?? before?.roleId ?? uuid();
  if (roleId === '') throw invalidRequest('invalid role_id supplied, or failed to generate a role_id');
  const secretIdNumUses = sent.secret_id_num_uses ?? before?.secretIdNumUses ?? 0;
  if (secretIdNumUses < 0) throw invalidRequest('secret_id_num_uses cannot be negative');
  const cidrs = sent.secret_id_bound_cidrs ?? sent.bound_cidr_list ?? before?.secretIdBoundCidrs ?? null;
  const bad = cidrs?.find((cidr) => !isBlock(cidr));
  if (bad !== undefined)
    throw codedError(500, `failed to validate CIDR blocks: invalid CIDR address: ${bad}`);

  return {
    name: name.toLowerCase(),
    roleId,
    bindSecretId: sent.bind_secret_id ?? before?.bindSecretId ?? true,
    secretIdBoundCidrs: cidrs,
    secretIdNumUses,
    secretIdTtl: sent.secret_id_ttl ?? before?.secretIdTtl ?? 0,
    localSecretIds: sent.local_secret_ids ?? before?.localSecretIds ?? false,
    token: tokenParams(underNewNames(sent), before?.token),
    oldNames: oldNamesInUse(sent, before?.oldNames),
  };
}

/** Returns the fields that a read of a role shows. */
export function describeRole(role: Role, server: ServerFlavour): JsonObject {
  return {
    bind_secret_id: role.bindSecretId,
    local_secret_ids: role.localSecretIds,
    secret_id_bound_cidrs: role.secretIdBoundCidrs,
    secret_id_num_uses: role.secretIdNumUses,
    secret_id_ttl: role.secretIdTtl,
    ...describeTokenParams(role.token, server),
    ...underOldNames(role.token, role.oldNames),
  };
}

/** Whether the text is a CIDR block with a prefix length, not a single address. */
export function isBlock(text: string): boolean {
  return text.includes('/') && canonicalCidr(text) !== undefined;
}
