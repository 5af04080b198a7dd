import { STANDARD_IMPORT_NAMES } from '../../sentinel/imports/names';
import {
  ANY_KEY,
  WholeNumbers,
  Words,
  type ComparisonDoubt,
  type PolicyEnvironment,
  type MapShape,
  type Shape,
} from '../../sentinel/check/shape';

const OPERATIONS = new Words(
  ['create', 'read', 'update', 'patch', 'delete', 'list', 'help', 'revoke', 'renew', 'rollback'],
  'an operation',
);

/** The modes of replication. */
const MODE = new Words(['disabled', 'bootstrapping', 'primary', 'secondary'], 'a mode of replication');

/** Times and durations are never negative. */
const COUNT = new WholeNumbers(0n);

const LIST_OF_TEXTS: Shape = ['text'];

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
  merged_from_entity_ids: LIST_OF_TEXTS,
};

const ENTITY: Shape = {
  ...METADATA,
  id: 'text',
  name: 'text',
  creation_time: 'text',
  last_update_time: 'text',
  merged_entity_ids: LIST_OF_TEXTS,
  aliases: [ALIAS],
  policies: LIST_OF_TEXTS,
};

const GROUP: Shape = {
  ...METADATA,
  id: 'text',
  name: 'text',
  policies: LIST_OF_TEXTS,
  member_entity_ids: LIST_OF_TEXTS,
  parent_group_ids: LIST_OF_TEXTS,
  creation_time: 'text',
  last_update_time: 'text',
};

const GROUPS: Shape = {
  by_id: { [ANY_KEY]: GROUP },
  by_name: { [ANY_KEY]: GROUP },
  names: LIST_OF_TEXTS,
};

const WRAPPING: Shape = { ttl: COUNT, ttl_seconds: COUNT };

/** The names that Vault defines for RGPs and EGPs without an import. */
const GLOBALS: MapShape = {
  request: {
    path: 'text',
    operation: OPERATIONS,
    data: { [ANY_KEY]: 'any' },
    connection: { remote_addr: 'text' },
    policy_override: 'bool',
    unauthenticated: 'bool',
    wrapping: WRAPPING,
    wrap_info: WRAPPING,
  },
  token: {
    ...METADATA,
    policies: LIST_OF_TEXTS,
    path: 'text',
    display_name: 'text',
    num_uses: 'int',
    role: 'text',
    entity_id: 'text',
    period: COUNT,
    period_seconds: COUNT,
    explicit_max_ttl: COUNT,
    explicit_max_ttl_seconds: COUNT,
    creation_ttl: COUNT,
    creation_ttl_seconds: COUNT,
    creation_time: 'text',
    creation_time_unix: 'any',
    type: new Words(['service', 'batch'], 'a type of tokens'),
    namespace: NAMESPACE,
  },
  identity: {
    entity: ENTITY,
    groups: GROUPS,
  },
  namespace: NAMESPACE,
  replication: {
    dr: { mode: MODE },
    performance: { mode: MODE },
    mode: { dr: MODE, replication: MODE },
  },
  mfa: {
    methods: { [ANY_KEY]: { valid: 'bool', type: 'text', name: 'text', mount_accessor: 'text' } },
  },
  controlgroup: {
    time: 'text',
    request_time: 'text',
    authorizations: [{ time: 'text', entity: ENTITY, groups: GROUPS }],
  },
};

/** Vault as the host of RGPs and EGPs. The import `http` has to be enabled in Vault. */
export const VAULT_ENVIRONMENT: PolicyEnvironment = {
  globals: GLOBALS,
  imports: [...STANDARD_IMPORT_NAMES, 'mfa', 'controlgroup'],
  optionalImports: { http: 'the server requires sentinel { additional_enabled_modules = ["http"] }' },
  hasParameters: false,
  comparedText,
};

function comparedText(path: string, operator: string, text: string): ComparisonDoubt | undefined {
  return path === 'request.path' ? pathDoubt(operator, text) : undefined;
}

/**
 * Returns why a comparison with a request's path is doubtful: the path of a request begins neither
 * with a slash nor with the version of the API.
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
