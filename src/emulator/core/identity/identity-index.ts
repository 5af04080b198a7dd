import type { Entity, Group } from './records';

/** Entities and groups in memory, found by id, name, alias and membership. Names count in lower case. */
export class IdentityIndex {
  readonly #entities = new Map<string, Entity>();
  readonly #entityByName = new Map<string, Entity>();
  readonly #entityByAlias = new Map<string, Entity>();
  readonly #entityByAliasId = new Map<string, Entity>();
  readonly #entityByMergedId = new Map<string, Entity>();
  readonly #groups = new Map<string, Group>();
  readonly #groupByName = new Map<string, Group>();
  readonly #groupByAlias = new Map<string, Group>();
  readonly #groupByAliasId = new Map<string, Group>();
  readonly #groupIdsByMember = new Map<string, Set<string>>();
  readonly #groupIdsByParent = new Map<string, Set<string>>();
  #groupsVersion = 0;

  get groupsVersion(): number {
    return this.#groupsVersion;
  }

  entity(id: string): Entity | undefined {
    return this.#entities.get(id);
  }

  entityMergedFrom(id: string): Entity | undefined {
    return this.#entityByMergedId.get(id);
  }

  entityByName(namespaceId: string, name: string): Entity | undefined {
    return this.#entityByName.get(key(namespaceId, name));
  }

  entityByAlias(mountAccessor: string, name: string): Entity | undefined {
    return this.#entityByAlias.get(key(mountAccessor, name));
  }

  entityByAliasId(id: string): Entity | undefined {
    return this.#entityByAliasId.get(id);
  }

  /** By id, as the server lists them. */
  entities(namespaceId: string): Entity[] {
    return [...this.#entities.values()].filter((each) => each.namespaceId === namespaceId).sort(byId);
  }

  group(id: string): Group | undefined {
    return this.#groups.get(id);
  }

  groupByName(namespaceId: string, name: string): Group | undefined {
    return this.#groupByName.get(key(namespaceId, name));
  }

  groupByAlias(mountAccessor: string, name: string): Group | undefined {
    return this.#groupByAlias.get(key(mountAccessor, name));
  }

  groupByAliasId(id: string): Group | undefined {
    return this.#groupByAliasId.get(id);
  }

  groups(namespaceId: string): Group[] {
    return [...this.#groups.values()].filter((each) => each.namespaceId === namespaceId).sort(byId);
  }

  groupsOfMember(entityId: string): Group[] {
    return this.#groupsById(this.#groupIdsByMember.get(entityId));
  }

  memberGroups(groupId: string): Group[] {
    return this.#groupsById(this.#groupIdsByParent.get(groupId));
  }

  addEntity(entity: Entity): void {
    this.removeEntity(entity.id);
    this.#entities.set(entity.id, entity);
    this.#entityByName.set(key(entity.namespaceId, entity.name), entity);
    for (const alias of entity.aliases) {
      this.#entityByAlias.set(key(alias.mountAccessor, alias.name), entity);
      this.#entityByAliasId.set(alias.id, entity);
    }
    for (const id of entity.mergedEntityIds ?? []) this.#entityByMergedId.set(id, entity);
  }

  removeEntity(id: string): void {
    const entity = this.#entities.get(id);
    if (entity === undefined) return;
    this.#entities.delete(id);
    forget(this.#entityByName, key(entity.namespaceId, entity.name), entity);
    for (const alias of entity.aliases) {
      forget(this.#entityByAlias, key(alias.mountAccessor, alias.name), entity);
      forget(this.#entityByAliasId, alias.id, entity);
    }
    for (const merged of entity.mergedEntityIds ?? []) forget(this.#entityByMergedId, merged, entity);
  }

  addGroup(group: Group): void {
    this.removeGroup(group.id);
    this.#groupsVersion++;
    this.#groups.set(group.id, group);
    this.#groupByName.set(key(group.namespaceId, group.name), group);
    const { alias } = group;
    if (alias !== null) {
      this.#groupByAlias.set(key(alias.mountAccessor, alias.name), group);
      this.#groupByAliasId.set(alias.id, group);
    }
    for (const id of group.memberEntityIds ?? []) connect(this.#groupIdsByMember, id, group.id);
    for (const id of group.parentGroupIds ?? []) connect(this.#groupIdsByParent, id, group.id);
  }

  removeGroup(id: string): void {
    const group = this.#groups.get(id);
    if (group === undefined) return;
    this.#groupsVersion++;
    this.#groups.delete(id);
    forget(this.#groupByName, key(group.namespaceId, group.name), group);
    const { alias } = group;
    if (alias !== null) {
      forget(this.#groupByAlias, key(alias.mountAccessor, alias.name), group);
      forget(this.#groupByAliasId, alias.id, group);
    }
    for (const member of group.memberEntityIds ?? []) this.#groupIdsByMember.get(member)?.delete(id);
    for (const parent of group.parentGroupIds ?? []) this.#groupIdsByParent.get(parent)?.delete(id);
  }

  #groupsById(ids: Iterable<string> = []): Group[] {
    return [...ids].flatMap((id) => this.#groups.get(id) ?? []);
  }
}

function key(place: string, name: string): string {
  return `${place} ${name.toLowerCase()}`;
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

/** Removes a record, unless the key has come to belong to another one since. */
function forget<T>(map: Map<string, T>, at: string, record: T): void {
  if (map.get(at) === record) map.delete(at);
}

function connect(map: Map<string, Set<string>>, from: string, to: string): void {
  const known = map.get(from);
  if (known === undefined) map.set(from, new Set([to]));
  else known.add(to);
}
