import { fromHost, type ImportSource, MapValue, type NamesRead, type Value } from '../sentinel';
import type {
  AliasFacts,
  ControlGroupFacts,
  EntityFacts,
  GroupFacts,
  IdentityFacts,
  MfaFacts,
  NamespaceFacts,
  ReplicationFacts,
  RequestFacts,
  TokenFacts,
} from './request-facts';

const NANOSECONDS = 1_000_000_000n;

/** The keys of a global that a policy reads. */
type KeysRead = ReadonlySet<string> | 'all';

/** The keys of a global, with the values that they have for some facts. */
type Keys<Facts> = Readonly<Record<string, (facts: Facts) => unknown>>;

/**
 * The globals of RGPs and EGPs, by name. A global that the request does not have is `undefined`;
 * policies then do not know its name.
 */
const GLOBALS: Readonly<Record<string, (facts: RequestFacts, read: KeysRead) => MapValue | undefined>> = {
  request: (facts, read) => mapOf(REQUEST, facts, read),
  namespace: ({ namespace }, read) => mapOf(NAMESPACE, namespace, read),
  token: ({ token }, read) => token && mapOf(TOKEN, token, read),
  identity: ({ identity }, read) => identity && mapOf(IDENTITY, identity, read),
  replication: ({ replication }, read) => mapOf(REPLICATION, replication, read),
  mfa: (facts, read) => mapOf(MFA, facts, read),
  controlgroup: ({ controlGroup }, read) => controlGroup && mapOf(CONTROL_GROUP, controlGroup, read),
};

const ALL_GLOBALS = Object.entries(GLOBALS);

/** The globals that may also be written as an import. */
const IMPORTABLE = ['mfa', 'controlgroup'];

/**
 * Returns the globals for one policy. Each policy gets new ones, because it may change them.
 *
 * @param reads the names and keys that the policy reads: only these are created. Default: all.
 */
export function globalsOf(facts: RequestFacts, reads?: NamesRead): Map<string, Value> {
  const globals = new Map<string, Value>();
  for (const [name, make] of ALL_GLOBALS) {
    const keys = reads ? reads.get(name) : 'all';
    if (keys === undefined) continue;
    const global = make(facts, keys);
    if (global !== undefined) globals.set(name, global);
  }
  return globals;
}

/** Returns a map with the keys that are read. */
function mapOf<Facts>(keys: Keys<Facts>, facts: Facts, read: KeysRead): MapValue {
  const map = new MapValue();
  for (const key of read === 'all' ? Object.keys(keys) : read)
    if (Object.hasOwn(keys, key)) map.entries.set(key, fromHost(keys[key]!(facts)));
  return map;
}

/**
 * Returns the globals that may be imported, and further imports. A further import replaces a global
 * with the same name.
 */
export function importsOf(
  globals: ReadonlyMap<string, Value>,
  further?: ReadonlyMap<string, ImportSource>,
): ReadonlyMap<string, ImportSource> | undefined {
  let imports: Map<string, ImportSource> | undefined;
  for (const name of IMPORTABLE) {
    const data = globals.get(name);
    if (data !== undefined) (imports ??= new Map()).set(name, { kind: 'data', data });
  }
  if (!imports) return further;
  for (const [name, source] of further ?? []) imports.set(name, source);
  return imports;
}

const REQUEST: Keys<RequestFacts> = {
  path: ({ path }) => path,
  operation: ({ operation }) => operation,
  data: ({ data = {} }) => data,
  connection: ({ remoteAddress }) => ({ remote_addr: remoteAddress }),
  policy_override: ({ policyOverride = false }) => policyOverride,
  unauthenticated: ({ unauthenticated = false }) => unauthenticated,
  wrapping,
  wrap_info: wrapping,
};

function wrapping({ wrapTtl = 0 }: RequestFacts): object {
  return { ttl: nanoseconds(wrapTtl), ttl_seconds: wrapTtl };
}

const NAMESPACE: Keys<NamespaceFacts> = { id: ({ id }) => id, path: ({ path }) => path };

const TOKEN: Keys<TokenFacts> = {
  policies: ({ policies }) => policies,
  path: ({ path }) => path,
  display_name: ({ displayName }) => displayName,
  num_uses: ({ numUses }) => numUses,
  role: ({ role }) => role,
  entity_id: ({ entityId }) => entityId,
  period: ({ period }) => nanoseconds(period),
  period_seconds: ({ period }) => period,
  explicit_max_ttl: ({ explicitMaxTtl }) => nanoseconds(explicitMaxTtl),
  explicit_max_ttl_seconds: ({ explicitMaxTtl }) => explicitMaxTtl,
  creation_ttl: ({ creationTtl }) => nanoseconds(creationTtl),
  creation_ttl_seconds: ({ creationTtl }) => creationTtl,
  // The server stores the time in seconds.
  creation_time: ({ createdAt }) => instant(Math.floor(createdAt / 1000) * 1000),
  creation_time_unix: ({ createdAt }) => Math.floor(createdAt / 1000),
  metadata: ({ metadata }) => metadata,
  meta: ({ metadata }) => metadata,
  type: ({ type }) => type,
  namespace: ({ namespace: { id, path } }) => ({ id, path }),
};

const IDENTITY: Keys<IdentityFacts> = {
  entity: ({ entity }) => entityObject(entity),
  groups: ({ groups }) => groupsObject(groups),
};

function groupsObject(groups: readonly GroupFacts[]): object {
  const objects = groups.map((group) => [group, groupObject(group)] as const);
  return {
    by_id: Object.fromEntries(objects.map(([{ id }, object]) => [id, object])),
    by_name: Object.fromEntries(objects.map(([{ name }, object]) => [name, object])),
    names: groups.map(({ name }) => name),
  };
}

function entityObject(entity: EntityFacts): object {
  return {
    id: entity.id,
    name: entity.name,
    metadata: entity.metadata,
    meta: entity.metadata,
    creation_time: instant(entity.createdAt),
    last_update_time: instant(entity.updatedAt),
    merged_entity_ids: entity.mergedEntityIds,
    aliases: entity.aliases.map(aliasObject),
    policies: entity.policies,
  };
}

function aliasObject(alias: AliasFacts): object {
  return {
    id: alias.id,
    name: alias.name,
    mount_accessor: alias.mountAccessor,
    mount_path: alias.mountPath,
    mount_type: alias.mountType,
    metadata: alias.metadata,
    meta: alias.metadata,
    custom_metadata: alias.customMetadata,
    creation_time: instant(alias.createdAt),
    last_update_time: instant(alias.updatedAt),
    merged_from_entity_ids: alias.mergedFromEntityIds,
  };
}

function groupObject(group: GroupFacts): object {
  return {
    id: group.id,
    name: group.name,
    metadata: group.metadata,
    meta: group.metadata,
    policies: group.policies,
    member_entity_ids: group.memberEntityIds,
    parent_group_ids: group.parentGroupIds,
    creation_time: instant(group.createdAt),
    last_update_time: instant(group.updatedAt),
  };
}

/** The modes under their present names, and under the names before Vault 1.14. */
const REPLICATION: Keys<ReplicationFacts> = {
  dr: ({ dr }) => ({ mode: dr }),
  performance: ({ performance }) => ({ mode: performance }),
  mode: ({ dr, performance }) => ({ dr, replication: performance }),
};

const MFA: Keys<RequestFacts> = {
  methods: ({ mfaMethods = {} }) => mapValues(mfaMethods, mfaMethod),
};

function mfaMethod({ valid, type, mountAccessor }: MfaFacts, name: string): object {
  return { valid, type, name, mount_accessor: mountAccessor };
}

const CONTROL_GROUP: Keys<ControlGroupFacts> = {
  time: ({ requestedAt }) => instant(requestedAt),
  request_time: ({ requestedAt }) => instant(requestedAt),
  authorizations: ({ authorizations }) =>
    authorizations.map(({ time, identity: { entity, groups } }) => ({
      time: instant(time),
      entity: entityObject(entity),
      groups: groupsObject(groups),
    })),
};

function mapValues<T>(
  record: Readonly<Record<string, T>>,
  map: (value: T, key: string) => object,
): Record<string, object> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function nanoseconds(seconds: number): bigint {
  return BigInt(Math.trunc(seconds)) * NANOSECONDS;
}

/** Returns a time as Go writes it: without zeros at the end of the fraction. */
function instant(milliseconds: number): string {
  const [seconds, fraction] = new Date(milliseconds).toISOString().slice(0, -1).split('.');
  return `${seconds}${String(Number(`0.${fraction}`)).slice(1)}Z`;
}
