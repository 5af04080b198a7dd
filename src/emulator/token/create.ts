import {
  type LogicalRequest,
  type LogicalResponse,
  type MountContext,
  type Route,
  type TokenEntry,
  route,
} from '../core/backend';
import { invalidRequest } from '../core/errors';
import { FieldError, type FieldSchemas, decodeField } from '../core/input/field-schemas';
import { matchesGlob } from '../../text';
import type { ClusterParts } from '../core/request/parts';
import { entityOfLogin } from '../core/identity/login';
import { calculateTtl } from '../core/stores/ttl';
import { type TokenRole, readRole } from './roles';
import { resolvePolicies } from './token-policies';

const FIELDS = {
  display_name: { type: 'string', default: '', description: 'Name to associate with this token' },
  entity_alias: {
    type: 'string',
    default: '',
    description: 'Name of the entity alias to associate with this token',
  },
  explicit_max_ttl: { type: 'string', default: '', description: 'Explicit Max TTL of this token' },
  id: { type: 'string', default: '', description: 'Value for the token' },
  lease: { type: 'string', default: '', description: "Use 'ttl' instead" },
  meta: { type: 'key_values', description: 'Arbitrary key=value metadata to associate with the token' },
  no_default_policy: {
    type: 'boolean',
    default: false,
    description: 'Do not include default policy for this token',
  },
  no_parent: { type: 'boolean', default: false, description: 'Create the token with no parent' },
  num_uses: { type: 'integer', default: 0, description: 'Max number of uses for this token' },
  period: { type: 'string', default: '', description: 'Renew period' },
  policies: { type: 'string_list', default: [], description: 'List of policies for the token' },
  renewable: { type: 'boolean', default: true, description: 'Allow the token to be renewed' },
  ttl: { type: 'string', default: '', description: 'Time to live for this token' },
  type: { type: 'string', default: '', description: 'Token type' },
} as const satisfies FieldSchemas;

const ROLE_FIELDS = {
  ...FIELDS,
  role_name: { type: 'string', path: true, description: 'Name of the role' },
} as const satisfies FieldSchemas;

type CreateRequest = LogicalRequest<typeof FIELDS>;

/** The differences between the paths of token creation. */
interface CreateVariant {
  readonly orphan: boolean;
  readonly role?: TokenRole;
}

/** The lifetimes of a new token, in seconds. */
interface Lifetimes {
  readonly ttl: number;
  readonly period: number;
  readonly explicitMaxTtl: number;
  readonly warnings: readonly string[];
}

export function createRoutes(cluster: ClusterParts, context: MountContext): readonly Route[] {
  const create = (request: CreateRequest, variant: CreateVariant) =>
    createToken(cluster, context, request, variant);
  return [
    route({
      pattern: 'create',
      fields: FIELDS,
      operations: { update: (request) => create(request, { orphan: false }) },
      help: { synopsis: 'Creates a token: a child of the calling one.' },
    }),
    route({
      pattern: 'create-orphan',
      fields: FIELDS,
      operations: { update: (request) => create(request, { orphan: true }) },
      help: { synopsis: 'Creates a token without a parent.' },
    }),
    route({
      pattern: 'create/:role_name',
      fields: ROLE_FIELDS,
      operations: {
        update: (request) => {
          const role = readRole(context.storage, request.data.role_name);
          if (role === undefined) throw invalidRequest(`unknown role ${request.data.role_name}`);
          return create(request, { orphan: role.orphan, role });
        },
      },
      help: { synopsis: 'Creates a token against a role.' },
    }),
  ];
}

function createToken(
  cluster: ClusterParts,
  context: MountContext,
  request: CreateRequest,
  variant: CreateVariant,
): LogicalResponse {
  const { data, namespace, sudo } = request;
  const parent = requireParent(request);
  const type = tokenType(data, variant.role);
  checkNamespace(request, parent);
  if (data.num_uses < 0) throw invalidRequest('number of uses cannot be negative');
  if (data.id !== '') checkChosenId(cluster, request);
  const policies = resolvePolicies({
    policies: data.policies,
    noDefaultPolicy: data.no_default_policy,
    role: variant.role,
    parent,
    namespace,
    sudo,
  });
  if (policies.includes('root')) checkRoot(parent, type);
  const isOrphan = isOrphanToken(request, variant);
  const entityId =
    entityOf(cluster, context, request, variant.role) ?? (isOrphan ? undefined : parent.entityId);
  const lifetimes = resolveLifetimes(context, request, variant.role, type, policies.includes('root'));
  if (lifetimes.ttl === 0 && parent.expiresAt !== undefined) {
    throw invalidRequest('expiring root tokens cannot create non-expiring root tokens');
  }
  const token = cluster.tokens.create({
    ...(data.id !== '' && { id: data.id }),
    type,
    namespace,
    policies,
    displayName: displayName(data.display_name),
    path: `auth/token/${request.path}${variant.role?.path_suffix ? `/${variant.role.path_suffix}` : ''}`,
    ...(!isOrphan && { parent: parent.id }),
    ...(variant.role !== undefined && { role: variant.role.name }),
    ...(entityId !== undefined && { entityId }),
    ...boundCidrs(parent, variant.role, isOrphan),
    metadata: data.meta ?? null,
    ttlSeconds: lifetimes.ttl,
    explicitMaxTtlSeconds: lifetimes.explicitMaxTtl,
    periodSeconds: lifetimes.period,
    renewable: data.renewable && (variant.role?.renewable ?? true),
    numUses: lower(data.num_uses, variant.role?.params.token_num_uses ?? 0),
  });
  const missing = policies.filter((name) => !cluster.policies.exists(namespace, name));
  const warnings = [
    ...lifetimes.warnings,
    ...(data.id !== ''
      ? [
          'Supplying a custom ID for the token uses the weaker SHA1 hashing instead of the more secure SHA2-256 HMAC for ' +
            'token obfuscation. SHA1 hashed tokens on the wire leads to less secure lookups.',
        ]
      : []),
    ...missing.map((name) => `Policy "${name}" does not exist`),
  ];
  return { issued: token, ...(warnings.length > 0 && { warnings }) };
}

function requireParent({ token }: CreateRequest): TokenEntry {
  if (token === undefined) throw invalidRequest('parent token lookup failed: no parent found');
  if (token.type === 'batch') throw invalidRequest('batch tokens cannot create more tokens');
  if (token.usesLeft > 0) throw invalidRequest('restricted use token cannot generate child tokens');
  return token;
}

function tokenType(data: CreateRequest['data'], role: TokenRole | undefined): TokenEntry['type'] {
  const wanted = data.type || 'service';
  const type =
    role?.token_type === 'service' || role?.token_type === 'batch'
      ? role.token_type
      : role?.token_type === 'default-batch' && data.type === ''
        ? 'batch'
        : wanted;
  if (type === 'service') return type;
  if (type !== 'batch') throw invalidRequest("invalid 'token_type' value");
  const refused =
    seconds('explicit_max_ttl', data.explicit_max_ttl) > 0
      ? 'explicit_max_ttl'
      : data.num_uses !== 0
        ? 'num_uses'
        : seconds('period', data.period) > 0
          ? 'period'
          : undefined;
  if (refused !== undefined) throw invalidRequest(`batch tokens cannot have "${refused}" set`);
  return type;
}

/** Only administrators of the parent namespace create tokens for a child namespace. */
function checkNamespace({ namespace, sudo, data }: CreateRequest, parent: TokenEntry): void {
  if (namespace.id === parent.namespaceId) return;
  if (!sudo)
    throw invalidRequest(
      'root or sudo privileges required to directly generate a token in a child namespace',
    );
  if (data.policies.includes('root'))
    throw invalidRequest('root tokens may not be created from a parent namespace');
}

function checkChosenId(cluster: ClusterParts, { data, namespace, sudo }: CreateRequest): void {
  const { id } = data;
  if (!sudo) throw invalidRequest('root or sudo privileges required to specify token id');
  if (namespace.path !== '')
    throw invalidRequest('token IDs can only be manually specified in the root namespace');
  if (id.startsWith('hvs.')) throw invalidRequest("custom token ID cannot have the 'hvs.' prefix");
  if (id.startsWith('s.')) throw invalidRequest("custom token ID cannot have the 's.' prefix");
  if (id.includes('.')) throw invalidRequest("custom token ID cannot have a '.' in the value");
  if (cluster.tokens.lookup(id) !== undefined)
    throw invalidRequest('cannot create a token with a duplicate ID');
}

function checkRoot(parent: TokenEntry, type: TokenEntry['type']): void {
  if (!parent.policies.includes('root')) {
    throw invalidRequest('root tokens may not be created without parent token being root');
  }
  if (type === 'batch') throw invalidRequest('batch tokens cannot be root tokens');
}

function isOrphanToken({ data, sudo }: CreateRequest, { orphan, role }: CreateVariant): boolean {
  if (role !== undefined || !data.no_parent) return orphan;
  if (!sudo) throw invalidRequest('root or sudo privileges required to create orphan token');
  return true;
}

function resolveLifetimes(
  context: MountContext,
  { data, sudo }: CreateRequest,
  role: TokenRole | undefined,
  type: TokenEntry['type'],
  isRoot: boolean,
): Lifetimes {
  const askedMax = seconds('explicit_max_ttl', data.explicit_max_ttl);
  const askedPeriod = seconds('period', data.period);
  if (askedPeriod > 0 && !sudo)
    throw invalidRequest('root or sudo privileges required to create periodic token');
  const wanted = data.ttl !== '' ? seconds('ttl', data.ttl) : seconds('lease', data.lease);
  const ofRole = type === 'service' ? role : undefined;
  const explicitMaxTtl = lower(askedMax, ofRole?.params.token_explicit_max_ttl ?? 0);
  const period = lower(askedPeriod, ofRole?.params.token_period ?? 0);
  const warnings: string[] = [];
  if (askedMax > 0 && ofRole?.params.token_explicit_max_ttl)
    warnings.push(lesserValue('Explicit max TTL', explicitMaxTtl));
  if (askedPeriod > 0 && ofRole?.params.token_period) warnings.push(lesserValue('Period', period));
  if (isRoot && wanted === 0 && period === 0)
    return { ttl: explicitMaxTtl, period, explicitMaxTtl, warnings };
  const { ttl = 0, warnings: caps } = calculateTtl(
    { ttl: wanted, period, explicitMaxTtl },
    context.leaseTtls(),
    0,
  );
  return { ttl, period, explicitMaxTtl, warnings: [...warnings, ...caps] };
}

function lesserValue(what: string, value: number): string {
  return `${what} specified both during creation call and in role; using the lesser value of ${value} seconds`;
}

function seconds(field: string, text: string): number {
  try {
    const value = decodeField('signed_duration', text);
    if (value < 0) throw invalidRequest(`${field} must be positive`);
    return value;
  } catch (error) {
    throw error instanceof FieldError ? invalidRequest(error.message) : error;
  }
}

/** Returns the lower of two limits; 0 means no limit. */
function lower(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}

/**
 * Returns the addresses that may use a token: those of the role, or without a role those of the
 * parent.
 */
function boundCidrs(
  parent: TokenEntry,
  role: TokenRole | undefined,
  isOrphan: boolean,
): Pick<TokenEntry, 'boundCidrs'> {
  const cidrs = role !== undefined ? role.params.token_bound_cidrs : isOrphan ? undefined : parent.boundCidrs;
  return cidrs === undefined || cidrs.length === 0 ? {} : { boundCidrs: cidrs };
}

/** Returns the entity of the requested alias, which the role has to allow. */
function entityOf(
  { identity }: ClusterParts,
  { mount }: MountContext,
  { data: { entity_alias: alias }, namespace }: CreateRequest,
  role: TokenRole | undefined,
): string | undefined {
  if (alias === '') return undefined;
  if (role === undefined) {
    throw invalidRequest("'entity_alias' is only allowed in combination with token role");
  }
  if (role.allowed_entity_aliases?.some((allowed) => matchesGlob(allowed, alias.toLowerCase())) !== true) {
    throw invalidRequest("invalid 'entity_alias' value");
  }
  return entityOfLogin(identity, namespace, mount, { name: alias, metadata: null, customMetadata: {} }).id;
}

function displayName(wanted: string): string {
  return wanted === '' ? 'token' : `token-${wanted}`.replace(/[^a-zA-Z0-9-]/g, '-').replace(/-$/, '');
}
