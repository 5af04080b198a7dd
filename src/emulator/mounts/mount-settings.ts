import { DurationError, parseDuration } from '../../model';
import type { MountConfig, MountEntry } from '../core/backend';
import { invalidRequest, LogicalError } from '../core/errors';
import { decodeFields, type Decoded } from '../core/input/field-schemas';
import { isJsonObject, type Json, type JsonObject } from '../core/primitives/json';
import { SYSTEM_LEASE_TTL_SECONDS } from '../core/routing/mounts';

const LIST_SETTINGS = {
  allowed_managed_keys: { type: 'comma_string_list', description: 'Managed keys that the mount may use.' },
  allowed_response_headers: {
    type: 'comma_string_list',
    description: 'Headers that the mount may set in responses.',
  },
  audit_non_hmac_request_keys: { type: 'comma_string_list', description: 'Audited in clear.' },
  audit_non_hmac_response_keys: { type: 'comma_string_list', description: 'Audited in clear.' },
  delegated_auth_accessors: {
    type: 'comma_string_list',
    description: 'Auth mounts that may be delegated to.',
  },
  passthrough_request_headers: {
    type: 'comma_string_list',
    description: 'Request headers that the mount receives.',
  },
} as const;

const TEXT_SETTINGS = {
  identity_token_key: { type: 'string', description: 'The key that signs identity tokens.' },
  listing_visibility: {
    type: 'string',
    description: "'unauth' to list the mount for everyone, or 'hidden'.",
  },
  token_type: { type: 'string', description: 'For auth methods: the type of the tokens they make.' },
} as const;

/** The settings of user lockout, which are stored without effect. */
const LOCK_OUT_FIELDS = {
  lockout_threshold: { type: 'integer', description: 'Failed logins before a user is locked out.' },
  lockout_duration: { type: 'duration', description: 'How long a user is locked out.' },
  lockout_counter_reset: { type: 'duration', description: 'After how long failed logins are forgotten.' },
  lockout_disable: { type: 'boolean', description: 'Whether nobody is locked out.' },
} as const;

/** The settings of mounts. Reads leave out empty lists and strings. */
export const SETTING_FIELDS = {
  ...LIST_SETTINGS,
  ...TEXT_SETTINGS,
  default_lease_ttl: { type: 'string', description: "A duration, or 'system' for the server's." },
  max_lease_ttl: { type: 'string', description: "A duration, or 'system' for the server's." },
  force_no_cache: { type: 'boolean', description: 'Never caches. It has no effect here.' },
  user_lockout_config: { type: 'object', description: 'When users are locked out. It has no effect here.' },
} as const;

type SentSettings = Partial<Decoded<typeof SETTING_FIELDS>>;

const TOKEN_TYPES = ['default-service', 'default-batch', 'service', 'batch'];

/**
 * Reads the `config` of a request that enables a mount.
 *
 * @throws LogicalError for values that are not valid.
 */
export function newSettings(config: JsonObject, kind: MountEntry['kind']): MountConfig {
  const sent = decodeConfig(config, kind);
  const defaultTtl = parseTtl(sent.default_lease_ttl, 0, 'default TTL');
  const maxTtl = parseTtl(sent.max_lease_ttl, 0, 'max TTL');
  if (maxTtl !== 0 && defaultTtl > maxTtl) {
    throw invalidRequest('given default lease TTL greater than given max lease TTL');
  }
  if (maxTtl === 0 && defaultTtl > SYSTEM_LEASE_TTL_SECONDS) {
    throw invalidRequest(
      `given default lease TTL greater than system max lease TTL of ${SYSTEM_LEASE_TTL_SECONDS}`,
    );
  }
  return {
    default_lease_ttl: defaultTtl,
    max_lease_ttl: maxTtl,
    force_no_cache: sent.force_no_cache ?? false,
    ...otherSettings(sent, kind, {}),
  };
}

/**
 * Returns the settings of a mount, updated with the request.
 *
 * @throws LogicalError for values that are not valid.
 */
export function changedSettings(
  before: MountConfig,
  sent: SentSettings,
  kind: MountEntry['kind'],
): MountConfig {
  const defaultTtl = parseTtl(sent.default_lease_ttl, before.default_lease_ttl, 'default TTL');
  const maxTtl = parseTtl(sent.max_lease_ttl, before.max_lease_ttl, 'max TTL');
  if (maxTtl !== 0 && maxTtl < defaultTtl) {
    throw invalidRequest(
      `backend max lease TTL of ${maxTtl} would be less than backend default lease TTL of ${defaultTtl}`,
    );
  }
  return {
    ...before,
    default_lease_ttl: defaultTtl,
    max_lease_ttl: maxTtl,
    ...otherSettings(sent, kind, before),
  };
}

/** Returns a mount's settings without TTLs, and without empty lists and texts. */
export function filledSettings(config: MountConfig): JsonObject {
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => !isTtl(name) && !isEmpty(value)),
  );
}

function isTtl(name: string): boolean {
  return name === 'default_lease_ttl' || name === 'max_lease_ttl';
}

function isEmpty(value: Json): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function decodeConfig(config: JsonObject, kind: MountEntry['kind']): SentSettings {
  try {
    return decodeFields(SETTING_FIELDS, config, {});
  } catch (error) {
    if (!(error instanceof LogicalError)) throw error;
    const what = kind === 'auth' ? 'auth' : 'mount';
    throw invalidRequest(`unable to convert given ${what} config information`);
  }
}

/** @param before the present value, which an empty text keeps. */
function parseTtl(text: string | undefined, before: number, what: string): number {
  if (text === undefined || text === '') return before;
  if (text === 'system') return 0;
  try {
    return Math.trunc(parseDuration(text));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw invalidRequest(`unable to parse ${what} of ${text}: ${error.message}`);
  }
}

function otherSettings(sent: SentSettings, kind: MountEntry['kind'], before: JsonObject): JsonObject {
  const { listing_visibility, token_type } = sent;
  if (!['', 'hidden', 'unauth', undefined].includes(listing_visibility)) {
    throw invalidRequest(`invalid listing_visibility ${listing_visibility}`);
  }
  if (token_type !== undefined && token_type !== '' && !TOKEN_TYPES.includes(token_type)) {
    throw invalidRequest("invalid value for 'token_type'");
  }
  const given = Object.keys({ ...LIST_SETTINGS, ...TEXT_SETTINGS }) as (keyof SentSettings)[];
  return {
    ...Object.fromEntries(
      given
        .filter((name) => sent[name] !== undefined)
        .map((name) => [name, sent[name] as JsonObject[string]]),
    ),
    ...(kind === 'auth' && token_type === '' && { token_type: 'default-service' }),
    ...(sent.user_lockout_config && {
      user_lockout_config: lockOut(sent.user_lockout_config, before.user_lockout_config),
    }),
  };
}

/**
 * Returns the lockout settings under the names of reads. Settings that were not sent keep their
 * values.
 */
function lockOut(sent: JsonObject, before: Json | undefined): JsonObject {
  const { lockout_counter_reset: reset, ...config } = decodeFields(LOCK_OUT_FIELDS, sent, {});
  const given = {
    user_lockout_counter_reset_duration: reset,
    user_lockout_disable: config.lockout_disable,
    user_lockout_duration: config.lockout_duration,
    user_lockout_threshold: config.lockout_threshold,
  };
  const sentOnly = Object.entries(given).filter(([, value]) => value !== undefined) as [string, Json][];
  return { ...NOBODY_LOCKED_OUT, ...(isJsonObject(before) && before), ...Object.fromEntries(sentOnly) };
}

const NOBODY_LOCKED_OUT = {
  user_lockout_counter_reset_duration: 0,
  user_lockout_disable: false,
  user_lockout_duration: 0,
  user_lockout_threshold: 0,
};
