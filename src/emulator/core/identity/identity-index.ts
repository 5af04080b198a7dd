import { type Finder, RecordIndex, forget } from './record-index';
import type { Entity, IdentityGroup } from './records';

/** Entities and groups in memory, with their memberships. */
export class IdentityIndex {
  readonly #entities = new RecordIndex<Entity>(({ aliases }) => aliases);
  readonly #groups = new RecordIndex<IdentityGroup>(({ alias }) => (alias === null ? [] : [alias]));
  readonly #entityByMergedId = new Map<string, Entity>();
  readonly #groupIdsByMember = new Map<string, Set<string>>();
  readonly #groupIdsByParent = new Map<string, Set<string>>();
  #groupsVersion = 0;

  get groupsVersion(): number {
    return this.#groupsVersion;
  }

  get entities(): Finder<Entity> {
    return this.#entities;
  }

  get groups(): Finder<IdentityGroup> {
    return this.#groups;
  }

  entityMergedFrom(id: string): Entity | undefined {
    return this.#entityByMergedId.get(id);
  }

  groupsOfMember(entityId: string): IdentityGroup[] {
    return this.#groupsById(this.#groupIdsByMember.get(entityId));
  }

  memberGroups(groupId: string): IdentityGroup[] {
    return this.#groupsById(this.#groupIdsByParent.get(groupId));
  }

  addEntity(entity: Entity): void {
    this.removeEntity(entity.id);
    this.#entities.add(entity);
    for (const id of entity.mergedEntityIds ?? []) this.#entityByMergedId.set(id, entity);
  }

  removeEntity(id: string): void {
    const entity = this.#entities.byId(id);
    if (entity === undefined) return;
    this.#entities.remove(entity);
    for (const merged of entity.mergedEntityIds ?? []) forget(this.#entityByMergedId, merged, entity);
  }

  addGroup(group: IdentityGroup): void {
    this.removeGroup(group.id);
    this.#groupsVersion++;
    this.#groups.add(group);
    for (const id of group.memberEntityIds ?? []) connect(this.#groupIdsByMember, id, group.id);
    for (const id of group.parentGroupIds ?? []) connect(this.#groupIdsByParent, id, group.id);
  }

  removeGroup(id: string): void {
    const group = this.#groups.byId(id);
    if (group === undefined) return;
    this.#groupsVersion++;
    this.#groups.remove(group);
    for (const member of group.memberEntityIds ?? []) this.#groupIdsByMember.get(member)?.delete(id);
    for (const parent of group.parentGroupIds ?? []) this.#groupIdsByParent.get(parent)?.delete(id);
  }

  #groupsById(ids: Iterable<string> = []): IdentityGroup[] {
    return [...ids].flatMap((id) => this.#groups.byId(id) ?? []);
  }
}

function connect(map: Map<string, Set<string>>, from: string, to: string): void {
  const known = map.get(from);
  if (known === undefined) map.set(from, new Set([to]));
  else known.add(to);
}
