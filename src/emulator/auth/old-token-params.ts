import type { Decoded, FieldSchemas } from '../core/input/field-schemas';
import type { JsonObject } from '../core/primitives/json';
import { TOKEN_FIELDS, type TokenParams } from './token-params';

/**
 * The names that fields of tokens had before all auth methods shared them. Each method still
 * accepts some of them. A read shows an old name if the last write used it.
 */
export const OLD_TOKEN_FIELDS = {
  policies: { ...TOKEN_FIELDS.token_policies, description: 'Use "token_policies" instead.' },
  ttl: { ...TOKEN_FIELDS.token_ttl, description: 'Use "token_ttl" instead.' },
  max_ttl: { ...TOKEN_FIELDS.token_max_ttl, description: 'Use "token_max_ttl" instead.' },
  period: { ...TOKEN_FIELDS.token_period, description: 'Use "token_period" instead.' },
  num_uses: { ...TOKEN_FIELDS.token_num_uses, description: 'Use "token_num_uses" instead.' },
  bound_cidrs: { ...TOKEN_FIELDS.token_bound_cidrs, description: 'Use "token_bound_cidrs" instead.' },
} as const satisfies FieldSchemas;

type OldName = keyof typeof OLD_TOKEN_FIELDS;
type Sent = Partial<Decoded<typeof TOKEN_FIELDS> & Decoded<typeof OLD_TOKEN_FIELDS>>;

/** Returns the sent fields with the values of old names under the new names. */
export function underNewNames(sent: Sent): Partial<Decoded<typeof TOKEN_FIELDS>> {
  return {
    ...sent,
    token_policies: sent.token_policies ?? (sent.policies && sanitizedPolicies(sent.policies)),
    token_ttl: sent.token_ttl ?? sent.ttl,
    token_max_ttl: sent.token_max_ttl ?? sent.max_ttl,
    token_period: sent.token_period ?? sent.period,
    token_num_uses: sent.token_num_uses ?? sent.num_uses,
    token_bound_cidrs: sent.token_bound_cidrs ?? sent.bound_cidrs,
  };
}

/**
 * Returns the old names that reads show after a write.
 *
 * @param before - the old names that reads showed before the write
 */
export function oldNamesInUse(sent: Sent, before: readonly string[] = []): readonly OldName[] {
  return oldNames().filter((name) => {
    if (sent[name] !== undefined) return true;
    return sent[`token_${name}`] === undefined && before.includes(name);
  });
}

/** Returns the fields of a read that have old names. */
export function underOldNames(params: TokenParams, inUse: readonly string[]): JsonObject {
  return Object.fromEntries(
    oldNames()
      .filter((name) => inUse.includes(name) && !isEmpty(params[`token_${name}`]))
      .map((name) => [name, params[`token_${name}`]]),
  );
}

function oldNames(): readonly OldName[] {
  return Object.keys(OLD_TOKEN_FIELDS) as OldName[];
}

function isEmpty(value: number | readonly string[]): boolean {
  return value === 0 || (Array.isArray(value) && value.length === 0);
}

function sanitizedPolicies(policies: readonly string[]): readonly string[] {
  return [...new Set(policies.map((policy) => policy.trim().toLowerCase()))]
    .filter((policy) => policy !== '')
    .sort();
}
