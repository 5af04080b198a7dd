import { formatDuration, GROUP_POLICY_MODES } from '../../model';
import { invalidRequest } from '../core/errors';
import type { Json, JsonObject } from '../core/primitives/json';
import { MFA_SETTINGS } from './mfa';
import { OIDC_SETTINGS } from './oidc';
import { isEmpty, mustHave, OFF, type StoredSetting, TEXT, texts, TEXTS } from './setting';

/**
 * Values of `group_by` that count requests by entity, with a second rate for requests without an
 * entity.
 */
const ENTITY_GROUPS: readonly Json[] = ['entity_then_ip', 'entity_then_none'];
const GROUPS: readonly Json[] = ['ip', 'none', ...ENTITY_GROUPS];

/**
 * The setting that selects the tokens to which the policies of a group apply: tokens of the group's
 * namespace and of its parent namespaces, or all tokens.
 */
export const GROUP_POLICY_APPLICATION: StoredSetting = {
  path: 'config/group-policy-application',
  what: 'the application of policies of groups',
  hasEffect: true,
  hasDefaults: true,
  rootNamespaceOnly: true,
  enterpriseOnly: true,
  fields: { group_policy_application_mode: { type: 'string', default: GROUP_POLICY_MODES[0] } },
  check: ({ group_policy_application_mode: mode }) => {
    if (!GROUP_POLICY_MODES.some((each) => each === mode))
      throw invalidRequest(`group_policy_application_mode must be one of ${GROUP_POLICY_MODES.join(', ')}`);
  },
};

/** All settings that are stored and returned. */
export const STORED_SETTINGS: readonly StoredSetting[] = [
  ...OIDC_SETTINGS,
  ...MFA_SETTINGS,
  GROUP_POLICY_APPLICATION,
  {
    path: 'policies/password/:name',
    what: 'password policies',
    fields: { policy: TEXT },
    check: (values) => mustHave(values, 'policy'),
  },
  {
    path: 'quotas/rate-limit/:name',
    what: 'rate limits',
    rootNamespaceOnly: true,
    fields: {
      type: TEXT,
      path: TEXT,
      role: TEXT,
      rate: { type: 'any', default: 0 },
      interval: { type: 'duration', default: 1 },
      block_interval: { type: 'duration', default: 0 },
      inheritable: OFF,
      group_by: { type: 'string', default: 'ip' },
      secondary_rate: { type: 'any', default: 0 },
    },
    check: ({ rate, group_by }) => {
      if (!(Number(rate) > 0)) throw invalidRequest("'rate' is invalid");
      if (!isEmpty(group_by) && !GROUPS.includes(group_by!)) throw invalidRequest("'group_by' is invalid");
    },
    shown: ({ rate, group_by, secondary_rate, ...values }, name) => ({
      ...values,
      name,
      type: 'rate-limit',
      rate: Number(rate),
      group_by: isEmpty(group_by) ? 'ip' : group_by!,
      secondary_rate: ENTITY_GROUPS.includes(group_by!) ? Number(secondary_rate) || Number(rate) : 0,
    }),
  },
  {
    path: 'quotas/lease-count/:name',
    what: 'lease count quotas',
    rootNamespaceOnly: true,
    enterpriseOnly: true,
    fields: {
      type: TEXT,
      path: TEXT,
      role: TEXT,
      max_leases: { type: 'integer', default: 0 },
      inheritable: OFF,
    },
    check: ({ max_leases }) => {
      if (!(Number(max_leases) > 0)) throw invalidRequest("'max_leases' is invalid");
    },
    shown: (values, name) => ({ ...values, name, type: 'lease-count', counter: 0 }),
  },
  {
    path: 'quotas/config',
    what: 'the configuration of quotas',
    hasDefaults: true,
    rootNamespaceOnly: true,
    fields: {
      rate_limit_exempt_paths: TEXTS,
      enable_rate_limit_audit_logging: OFF,
      enable_rate_limit_response_headers: OFF,
    },
  },
  {
    path: 'config/cors',
    what: 'CORS headers',
    hasDefaults: true,
    rootNamespaceOnly: true,
    sudo: true,
    fields: { enable: { type: 'boolean' }, allowed_origins: TEXTS, allowed_headers: TEXTS },
    check: (values) => mustHave(values, 'allowed_origins'),
    shown: ({ allowed_origins, allowed_headers }): JsonObject =>
      isEmpty(allowed_origins)
        ? { enabled: false }
        : {
            enabled: true,
            allowed_origins: texts(allowed_origins),
            allowed_headers: [...CORS_HEADERS, ...texts(allowed_headers)],
          },
  },
  {
    path: 'config/auditing/request-headers/:name',
    what: 'request headers to log',
    rootNamespaceOnly: true,
    sudo: true,
    fields: { hmac: OFF },
    readAs: 'headers',
    shown: ({ hmac = false }, name) => ({ [name]: { hmac } }),
  },
  {
    path: 'storage/raft/autopilot/configuration',
    what: 'autopilot of Raft storage',
    hasDefaults: true,
    rootNamespaceOnly: true,
    enterpriseOnly: true,
    local: true,
    fields: {
      cleanup_dead_servers: OFF,
      last_contact_threshold: { type: 'duration', default: 10 },
      dead_server_last_contact_threshold: { type: 'duration', default: 86_400 },
      max_trailing_logs: { type: 'integer', default: 1000 },
      min_quorum: { type: 'integer', default: 0 },
      server_stabilization_time: { type: 'duration', default: 10 },
      disable_upgrade_migration: OFF,
    },
    shown: (values) => ({
      ...values,
      last_contact_threshold: formatDuration(Number(values.last_contact_threshold)),
      dead_server_last_contact_threshold: formatDuration(Number(values.dead_server_last_contact_threshold)),
      server_stabilization_time: formatDuration(Number(values.server_stabilization_time)),
    }),
  },
];

/** Headers that the server always allows, because its own clients send them. */
const CORS_HEADERS = [
  'Content-Type',
  'X-Requested-With',
  'X-Vault-AWS-IAM-Server-ID',
  'X-Vault-MFA',
  'X-Vault-No-Request-Forwarding',
  'X-Vault-Wrap-Format',
  'X-Vault-Wrap-TTL',
  'X-Vault-Policy-Override',
  'Authorization',
  'X-Vault-Token',
];
