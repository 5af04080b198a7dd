import { fromHost, type NamesRead, type Value } from '../sentinel';
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

/**
 * The globals of RGPs and EGPs, by name. `undefined` if the request has none, so that the name is
 * unknown.
 */
const GLOBALS: Readonly<Record<string, (facts: RequestFacts) => object | undefined>> = {
  request,
  namespace: ({ namespace }) => namespaceObject(namespace),
  token: ({ token }) => token && tokenObject(token),
  identity: ({ identity }) => identity && identityObject(identity),
  replication: ({ replication }) => replicationObject(replication),
  mfa: ({ mfaMethods = {} }) => ({ methods: mapValues(mfaMethods, mfaMethod) }),
  controlgroup: ({ controlGroup }) => controlGroup && controlGroupObject(controlGroup),
};

const ALL_GLOBALS = Object.entries(GLOBALS);

/** The globals that may also be written as an import. */
const IMPORTABLE = ['mfa', 'controlgroup'];

/**
 * Returns the globals for one policy, which may change them.
 *
 * @param reads the names, and keys of them, that are needed: the others are not created. Default:
 *   all.
 */
export function globalsOf(facts: RequestFacts, reads?: NamesRead): Map<string, Value> {
  const globals = new Map<string, Value>();
  for (const [name, make] of ALL_GLOBALS) {
    const keys = reads ? reads.get(name) : 'all';
    if (keys === undefined) continue;
    const made = make(facts);
    if (made === undefined) continue;
    globals.set(name, fromHost(keys === 'all' ? made : partOf(made, keys)));
  }
  return globals;
}

/** Reads the given keys only: some take time to compute. */
function partOf(object: object, keys: ReadonlySet<string>): object {
  const part: Record<string, unknown> = {};
  for (const key of keys)
    if (Object.hasOwn(object, key)) part[key] = (object as Readonly<Record<string, unknown>>)[key];
  return part;
}

/** Returns the value of `import "mfa"`. */
export function importsOf(
  globals: ReadonlyMap<string, Value>,
): Map<string, { readonly kind: 'data'; readonly data: Value }> {
  const imports = new Map<string, { readonly kind: 'data'; readonly data: Value }>();
  for (const name of IMPORTABLE) {
    const data = globals.get(name);
    if (data !== undefined) imports.set(name, { kind: 'data', data });
  }
  return imports;
}

function request(facts: RequestFacts): object {
  const { wrapTtl = 0 } = facts;
  const wrapping = { ttl: nanoseconds(wrapTtl), ttl_seconds: wrapTtl };
  return {
    path: facts.path,
    operation: facts.operation,
    data: facts.data ?? {},
    connection: { remote_addr: facts.remoteAddress },
    policy_override: facts.policyOverride ?? false,
    unauthenticated: facts.unauthenticated ?? false,
    wrapping,
    wrap_info: wrapping,
  };
}

function namespaceObject({ id, path }: NamespaceFacts): object {
  return { id, path };
}

function tokenObject(token: TokenFacts): object {
  return {
    policies: token.policies,
    path: token.path,
    display_name: token.displayName,
    num_uses: token.numUses,
    role: token.role,
    entity_id: token.entityId,
    period: nanoseconds(token.period),
    period_seconds: token.period,
    explicit_max_ttl: nanoseconds(token.explicitMaxTtl),
    explicit_max_ttl_seconds: token.explicitMaxTtl,
    creation_ttl: nanoseconds(token.creationTtl),
    creation_ttl_seconds: token.creationTtl,
    // The server stores the time in seconds.
    get creation_time() {
      return instant(Math.floor(token.createdAt / 1000) * 1000);
    },
    creation_time_unix: Math.floor(token.createdAt / 1000),
    metadata: token.metadata,
    meta: token.metadata,
    type: token.type,
    namespace: namespaceObject(token.namespace),
  };
}

function identityObject({ entity, groups }: IdentityFacts): object {
  const objects = groups.map((group) => [group, groupObject(group)] as const);
  return {
    entity: entityObject(entity),
    groups: {
      by_id: Object.fromEntries(objects.map(([{ id }, object]) => [id, object])),
      by_name: Object.fromEntries(objects.map(([{ name }, object]) => [name, object])),
      names: groups.map(({ name }) => name),
    },
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

/** Returns the modes under the names of the present documentation, and under those before 1.14. */
function replicationObject({ performance, dr }: ReplicationFacts): object {
  return { dr: { mode: dr }, performance: { mode: performance }, mode: { dr, replication: performance } };
}

function mfaMethod({ valid, type, mountAccessor }: MfaFacts, name: string): object {
  return { valid, type, name, mount_accessor: mountAccessor };
}

function controlGroupObject({ requestedAt, authorizations }: ControlGroupFacts): object {
  const time = instant(requestedAt);
  return {
    time,
    request_time: time,
    authorizations: authorizations.map(({ time: at, identity }) => ({
      time: instant(at),
      ...identityObject(identity),
    })),
  };
}

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
