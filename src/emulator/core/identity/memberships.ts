import type { IdentityStore } from './identity-store';
import type { IdentityGroup } from './records';

/** The groups of an entity. */
interface Memberships {
  /** The groups that have the entity as a direct member. */
  readonly direct: readonly IdentityGroup[];
  /**
   * The groups that have one of the `direct` groups as a member, directly or through other groups.
   */
  readonly inherited: readonly IdentityGroup[];
}

export function membershipsOf(store: IdentityStore, entityId: string): Memberships {
  const direct = store.groupsOfMember(entityId);
  const seen = new Set(direct.map(({ id }) => id));
  const inherited: IdentityGroup[] = [];
  const waiting = [...direct];
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    for (const id of group.parentGroupIds ?? []) {
      const parent = seen.has(id) ? undefined : store.groups.byId(id);
      if (parent === undefined) continue;
      seen.add(id);
      inherited.push(parent);
      waiting.push(parent);
    }
  }
  return { direct, inherited };
}

/** Whether a group has another one as a member, directly or through other groups. */
export function hasMemberGroup(store: IdentityStore, groupId: string, wanted: string): boolean {
  const seen = new Set<string>();
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === wanted) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...store.memberGroups(id).map((group) => group.id));
  }
  return false;
}
