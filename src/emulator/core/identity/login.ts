import type { LoginAlias, MountEntry, Namespace } from '../backend';
import { permissionDenied } from '../errors';
import { uuid } from '../primitives/identifiers';
import { isAt, isSameTexts, newEntity, withAlias } from './entities';
import type { IdentityStore } from './identity-store';
import type { Entity } from './records';

/**
 * Returns the entity of a login. It is created at the first login, and updated with the current
 * data of the auth method.
 *
 * @throws LogicalError 403 if the entity is disabled.
 */
export function entityOfLogin(
  identity: IdentityStore,
  namespace: Namespace,
  mount: MountEntry,
  user: LoginAlias,
): Entity {
  const { metadata } = user;
  const known = identity.entities.byAlias(mount.accessor, user.name);
  if (known?.disabled === true) throw permissionDenied();
  const alias = known?.aliases.find((each) => isAt(each, mount.accessor, user.name));
  if (known !== undefined && alias !== undefined) {
    if (isSameTexts(alias.metadata ?? {}, metadata ?? {})) return known;
    const entity = withAlias(known, { ...alias, metadata, updatedAt: identity.now });
    identity.putEntity(entity);
    return entity;
  }
  const entity = withAlias(newEntity(identity, namespace), {
    id: uuid(),
    name: user.name,
    mountAccessor: mount.accessor,
    local: mount.local,
    createdAt: identity.now,
    updatedAt: identity.now,
    metadata,
    customMetadata: user.customMetadata,
    mergedFromEntityIds: null,
  });
  identity.putEntity(entity);
  return entity;
}

/**
 * Makes an entity a member of the external groups that an auth method returned for it, and removes
 * it from the other groups of that method.
 */
export function refreshExternalGroups(
  identity: IdentityStore,
  entity: Entity,
  { accessor }: MountEntry,
  names: readonly string[],
): void {
  const wanted = names.flatMap((name) => identity.groups.byAlias(accessor, name) ?? []);
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const before = identity.groupsOfMember(entity.id);
  for (const group of wanted) {
    if (before.some(({ id }) => id === group.id)) continue;
    identity.putGroup({ ...group, memberEntityIds: [...(group.memberEntityIds ?? []), entity.id] });
  }
  for (const group of before) {
    if (group.type !== 'external' || wantedIds.has(group.id)) continue;
    if (group.alias !== null && group.alias.mountAccessor !== accessor) continue;
    const memberEntityIds = (group.memberEntityIds ?? []).filter((id) => id !== entity.id);
    identity.putGroup({ ...group, memberEntityIds });
  }
}
