import type { AliasFacts, GroupFacts, IdentityFacts } from '../../../enforcement';
import type { MountTable } from '../routing/mounts';
import type { IdentityStore } from './identity-store';
import { membershipsOf } from './memberships';
import type { Alias, Entity, IdentityGroup } from './records';

/** Returns the properties of an entity that policies can read. */
export function identityFacts(
  { identity, mounts }: { readonly identity: IdentityStore; readonly mounts: MountTable },
  entity: Entity,
): IdentityFacts {
  const { direct, inherited } = membershipsOf(identity, entity.id);
  return {
    entity: {
      id: entity.id,
      name: entity.name,
      metadata: entity.metadata ?? {},
      policies: entity.policies,
      aliases: entity.aliases.map((alias) => aliasFacts(mounts, alias)),
      mergedEntityIds: entity.mergedEntityIds ?? [],
      createdAt: entity.createdAt,
      updatedAt: entity.updatedAt,
    },
    groups: [...direct, ...inherited].map(groupFacts),
  };
}

function aliasFacts(mounts: MountTable, alias: Alias): AliasFacts {
  const mount = mounts.byAccessor(alias.mountAccessor);
  return {
    id: alias.id,
    name: alias.name,
    mountAccessor: alias.mountAccessor,
    mountPath: mount?.path ?? '',
    mountType: mount?.type ?? '',
    metadata: alias.metadata ?? {},
    customMetadata: alias.customMetadata ?? {},
    mergedFromEntityIds: alias.mergedFromEntityIds ?? [],
    createdAt: alias.createdAt,
    updatedAt: alias.updatedAt,
  };
}

function groupFacts(group: IdentityGroup): GroupFacts {
  return {
    id: group.id,
    name: group.name,
    metadata: group.metadata ?? {},
    policies: group.policies ?? [],
    memberEntityIds: group.memberEntityIds ?? [],
    parentGroupIds: group.parentGroupIds ?? [],
    createdAt: group.createdAt,
    updatedAt: group.updatedAt,
  };
}
