import { STANDARD_IMPORT_NAMES } from '../../sentinel/imports/names';
import { ANY_KEY, type ComparisonDoubt, type Environment, type Shape } from '../../sentinel/check/shape';

const TEXTS: Shape = { [ANY_KEY]: 'text' };

const NAMESPACE: Shape = { id: 'text', path: 'text' };

const METADATA = { metadata: TEXTS, meta: TEXTS };

const ALIAS: Shape = {
  ...METADATA,
  id: 'text',
  name: 'text',
  mount_accessor: 'text',
  mount_path: 'text',
  mount_type: 'text',
  custom_metadata: TEXTS,
  creation_time: 'text',
  last_update_time: 'text',
  merged_from_entity_ids: 'any',
};

const ENTITY: Shape = {
  ...METADATA,
  id: 'text',
  name: 'text',
  creation_time: 'text',
  last_update_time: 'text',
  merged_entity_ids: 'any',
  aliases: { [ANY_KEY]: ALIAS },
  policies: 'any',
};

const GROUP: Shape = {
  ...METADATA,
  id: 'text',
  name: 'text',
  policies: 'any',
  member_entity_ids: 'any',
  parent_group_ids: 'any',
  creation_time: 'text',
  last_update_time: 'text',
};

const WRAPPING: Shape = { ttl: 'any', ttl_seconds: 'any' };

/** The names that Vault defines for RGPs and EGPs without an import. */
const GLOBALS: Readonly<Record<string, Shape>> = {
  request: {
    path: 'text',
    operation: 'text',
    data: 'any',
    connection: { remote_addr: 'text' },
    policy_override: 'any',
    unauthenticated: 'any',
    wrapping: WRAPPING,
    wrap_info: WRAPPING,
  },
  token: {
    ...METADATA,
    policies: 'any',
    path: 'text',
    display_name: 'text',
    num_uses: 'any',
    role: 'text',
    entity_id: 'text',
    period: 'any',
    period_seconds: 'any',
    explicit_max_ttl: 'any',
    explicit_max_ttl_seconds: 'any',
    creation_ttl: 'any',
    creation_ttl_seconds: 'any',
    creation_time: 'text',
    creation_time_unix: 'any',
    type: 'text',
    namespace: NAMESPACE,
  },
  identity: {
    entity: ENTITY,
    groups: { by_id: { [ANY_KEY]: GROUP }, by_name: { [ANY_KEY]: GROUP }, names: 'any' },
  },
  namespace: NAMESPACE,
  replication: {
    dr: { mode: 'text' },
    performance: { mode: 'text' },
    mode: { dr: 'text', replication: 'text' },
  },
  mfa: {
    methods: { [ANY_KEY]: { valid: 'any', type: 'text', name: 'text', mount_accessor: 'text' } },
  },
  controlgroup: { time: 'text', request_time: 'text', authorizations: 'any' },
};

const OPERATIONS = [
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
  'help',
  'revoke',
  'renew',
  'rollback',
];

/** Vault as the host of RGPs and EGPs: the import `http` has to be enabled there. */
export const VAULT_ENVIRONMENT: Environment = {
  globals: GLOBALS,
  imports: [...STANDARD_IMPORT_NAMES, 'mfa', 'controlgroup'],
  optionalImports: { http: 'the server requires sentinel { additional_enabled_modules = ["http"] }' },
  hasParameters: false,
  comparedText,
};

function comparedText(path: string, operator: string, text: string): ComparisonDoubt | undefined {
  if (path === 'request.path') return pathDoubt(operator, text);
  if (path === 'request.operation' && operator !== 'matches' && !OPERATIONS.includes(text)) {
    return {
      problem: `"${text}" is not an operation: the comparison is never true`,
      hint: `allowed are ${OPERATIONS.join(', ')}`,
    };
  }
  return undefined;
}

/**
 * Returns why a comparison with a request's path is doubtful: the path has neither a slash nor the
 * version of the API in front.
 */
function pathDoubt(operator: string, text: string): ComparisonDoubt | undefined {
  const start =
    operator === 'matches' ? /^\^(.*)$/.exec(text)?.[1] : operator === 'contains' ? undefined : text;
  if (start === undefined) return undefined;
  if (start.startsWith('/')) {
    return {
      problem: 'request.path never begins with a slash: the comparison is never true',
      hint: 'remove the leading "/"',
    };
  }
  if (start.startsWith('v1/')) {
    return {
      problem: 'request.path never begins with "v1/": the comparison is never true',
      hint: 'remove "v1/"',
    };
  }
  return undefined;
}
