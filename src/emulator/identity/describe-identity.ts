import type { ClusterParts } from '../core/request/parts';
import { timestamp } from '../core/primitives/clock';
import type { JsonObject } from '../core/primitives/json';
import { membershipsOf } from '../core/identity/memberships';
import type { Alias, Entity, IdentityGroup, GroupAlias } from '../core/identity/records';

type Parts = Pick<ClusterParts, 'identity' | 'mounts'>;

/** Returns the fields of a read of an entity. */
export function describeEntity(parts: Parts, entity: Entity): JsonObject {
  const { direct, inherited } = membershipsOf(parts.identity, entity.id);
  const ids = (groups: readonly IdentityGroup[]) => groups.map(({ id }) => id);
  return {
    aliases: entity.aliases.map((alias) => aliasOfEntity(parts, alias, entity)),
    creation_time: timestamp(entity.createdAt),
    direct_group_ids: ids(direct),
    disabled: entity.disabled,
    group_ids: ids([...direct, ...inherited]),
    id: entity.id,
    inherited_group_ids: ids(inherited),
    last_update_time: timestamp(entity.updatedAt),
    merged_entity_ids: entity.mergedEntityIds,
    metadata: entity.metadata,
    name: entity.name,
    namespace_id: entity.namespaceId,
    policies: entity.policies,
  };
}

/** Returns the fields of a read of an alias. */
export function describeAlias(parts: Parts, alias: Alias, entity: Entity): JsonObject {
  return { ...aliasOfEntity(parts, alias, entity), namespace_id: entity.namespaceId };
}

function aliasOfEntity(parts: Parts, alias: Alias, entity: Entity): JsonObject {
  return {
    canonical_id: entity.id,
    creation_time: timestamp(alias.createdAt),
    custom_metadata: orNull(alias.customMetadata),
    id: alias.id,
    last_update_time: timestamp(alias.updatedAt),
    local: alias.local,
    merged_from_canonical_ids: alias.mergedFromEntityIds,
    metadata: orNull(alias.metadata),
    mount_accessor: alias.mountAccessor,
    ...mountOf(parts, alias.mountAccessor),
    name: alias.name,
  };
}

/** Returns an entity's details in a list by id. */
export function entityInfo(parts: Parts, { name, aliases }: Entity): JsonObject {
  const shown = aliases.map((alias) => aliasInList(parts, alias));
  return { ...(shown.length > 0 && { aliases: shown }), name };
}

/** Returns an entity alias's details in a list by id. */
export function aliasInfo(parts: Parts, alias: Alias, entity: Entity): JsonObject {
  return {
    canonical_id: entity.id,
    custom_metadata: orNull(alias.customMetadata),
    local: alias.local,
    metadata: orNull(alias.metadata),
    mount_accessor: alias.mountAccessor,
    ...mountOf(parts, alias.mountAccessor),
    name: alias.name,
  };
}

/** Returns the fields of a read of a group. */
export function describeGroup(parts: Parts, group: IdentityGroup): JsonObject {
  const members = parts.identity.memberGroups(group.id).map(({ id }) => id);
  return {
    alias: group.alias === null ? {} : aliasOfGroup(parts, group.alias, group),
    creation_time: timestamp(group.createdAt),
    id: group.id,
    last_update_time: timestamp(group.updatedAt),
    member_entity_ids: group.memberEntityIds,
    member_group_ids: members.length === 0 ? null : members,
    metadata: group.metadata,
    modify_index: group.modifyIndex,
    name: group.name,
    namespace_id: group.namespaceId,
    parent_group_ids: group.parentGroupIds,
    policies: group.policies?.length ? group.policies : null,
    type: group.type,
  };
}

/** Returns the fields of a read of a group alias. */
export function describeGroupAlias(parts: Parts, alias: GroupAlias, group: IdentityGroup): JsonObject {
  return {
    ...aliasOfGroup(parts, alias, group),
    custom_metadata: null,
    local: false,
    namespace_id: group.namespaceId,
  };
}

function aliasOfGroup(parts: Parts, alias: GroupAlias, group: IdentityGroup): JsonObject {
  return {
    canonical_id: group.id,
    creation_time: timestamp(alias.createdAt),
    id: alias.id,
    last_update_time: timestamp(alias.updatedAt),
    merged_from_canonical_ids: null,
    metadata: null,
    mount_accessor: alias.mountAccessor,
    ...mountOf(parts, alias.mountAccessor),
    name: alias.name,
  };
}

/** Returns a group's details in a list by id. */
export function groupInfo(parts: Parts, group: IdentityGroup): JsonObject {
  return {
    ...(group.alias !== null && { alias: aliasInList(parts, group.alias) }),
    name: group.name,
    num_member_entities: group.memberEntityIds?.length ?? 0,
    num_parent_groups: group.parentGroupIds?.length ?? 0,
  };
}

/** Returns a group alias's details in a list by id. */
export function groupAliasInfo(parts: Parts, alias: GroupAlias, group: IdentityGroup): JsonObject {
  return {
    canonical_id: group.id,
    custom_metadata: null,
    local: false,
    metadata: null,
    mount_accessor: alias.mountAccessor,
    ...mountOf(parts, alias.mountAccessor),
    name: alias.name,
  };
}

function aliasInList(parts: Parts, { id, name, mountAccessor }: Alias | GroupAlias): JsonObject {
  return { id, mount_accessor: mountAccessor, ...mountOf(parts, mountAccessor), name };
}

/** Returns the fields about a mount; none if it does not exist any more. */
function mountOf({ mounts }: Parts, accessor: string): JsonObject {
  const mount = mounts.byAccessor(accessor);
  return mount === undefined ? {} : { mount_path: mount.path, mount_type: mount.type };
}

/** Returns null if the metadata of an alias is empty, because the server does not keep it then. */
function orNull(texts: Alias['metadata']): Alias['metadata'] {
  return texts === null || Object.keys(texts).length === 0 ? null : texts;
}
