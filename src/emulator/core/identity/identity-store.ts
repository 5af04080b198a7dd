import type { Namespace } from '../backend';
import type { EmulatorClock } from '../primitives/clock';
import type { MountTable } from '../routing/mounts';
import type { NamespaceStore } from '../stores/namespace-store';
import type { Storage } from '../primitives/storage';
import { IdentityIndex } from './identity-index';
import type { Finder } from './record-index';
import type { Alias, Entity, IdentityGroup } from './records';

const ENTITY_PREFIX = 'entity/';
const GROUP_PREFIX = 'group/';

/**
 * The entities and groups of all namespaces. Each is stored in the mount of its namespace's
 * identity store. An index of all entities and groups is created in memory at the first query.
 */
export class IdentityStore {
  readonly #mounts: MountTable;
  readonly #namespaces: NamespaceStore;
  readonly #clock: EmulatorClock;
  readonly #areGroupsForAll: () => boolean;
  #index: IdentityIndex | undefined;

  /** @param areGroupsForAll whether the policies of a group apply to tokens of all namespaces. */
  constructor(
    mounts: MountTable,
    namespaces: NamespaceStore,
    clock: EmulatorClock,
    areGroupsForAll: () => boolean,
  ) {
    this.#mounts = mounts;
    this.#namespaces = namespaces;
    this.#clock = clock;
    this.#areGroupsForAll = areGroupsForAll;
  }

  /**
   * Whether the ACL policies of a group apply to tokens of all namespaces. Otherwise they apply to
   * tokens of the group's namespace and of its parent namespaces.
   */
  get areGroupsForAll(): boolean {
    return this.#areGroupsForAll();
  }

  get now(): number {
    return this.#clock.now();
  }

  /** A number that changes with every change of a group. */
  get groupsVersion(): number {
    return this.#known.groupsVersion;
  }

  /**
   * Discards the index; called after the whole storage was replaced, or a namespace was deleted.
   */
  clear(): void {
    this.#index = undefined;
  }

  /**
   * Handles a write or deletion by replication in the storage of a mount, if the mount is an
   * identity store.
   */
  refresh(mountId: string, key: string): void {
    if (this.#index === undefined) return;
    const namespace = this.#namespaces
      .all()
      .find((each) => this.#mounts.get(each, 'identity/')?.entry.uuid === mountId);
    if (namespace === undefined) return;
    const id = key.slice(key.indexOf('/') + 1);
    if (key.startsWith(ENTITY_PREFIX)) {
      const stored = this.#read<Entity>(namespace, key);
      if (stored) this.#index.addEntity(asEntity(stored, namespace));
      else this.#index.removeEntity(id);
    } else if (key.startsWith(GROUP_PREFIX)) {
      const stored = this.#read<IdentityGroup>(namespace, key);
      if (stored) this.#index.addGroup(stored);
      else this.#index.removeGroup(id);
    }
  }

  get entities(): Finder<Entity> {
    return this.#known.entities;
  }

  get groups(): Finder<IdentityGroup> {
    return this.#known.groups;
  }

  /** Returns the entity with an id or, if it was merged into another entity, that entity. */
  entityOrMerged(id: string): Entity | undefined {
    return this.entities.byId(id) ?? this.#known.entityMergedFrom(id);
  }

  /** Returns the groups that have an entity as a direct member. */
  groupsOfMember(entityId: string): IdentityGroup[] {
    return this.#known.groupsOfMember(entityId);
  }

  /** Returns the groups that are members of a group. */
  memberGroups(groupId: string): IdentityGroup[] {
    return this.#known.memberGroups(groupId);
  }

  putEntity(entity: Entity): void {
    const known = this.#known;
    this.#storageOf(entity).put(ENTITY_PREFIX + entity.id, entity);
    known.addEntity(entity);
  }

  deleteEntity(entity: Entity): void {
    const known = this.#known;
    this.#storageOf(entity).delete(ENTITY_PREFIX + entity.id);
    known.removeEntity(entity.id);
  }

  /** Stores a group with the next version number. */
  putGroup(group: IdentityGroup): IdentityGroup {
    const known = this.#known;
    const stored = { ...group, modifyIndex: group.modifyIndex + 1 };
    this.#storageOf(group).put(GROUP_PREFIX + group.id, stored);
    known.addGroup(stored);
    return stored;
  }

  deleteGroup(group: IdentityGroup): void {
    const known = this.#known;
    this.#storageOf(group).delete(GROUP_PREFIX + group.id);
    known.removeGroup(group.id);
  }

  get #known(): IdentityIndex {
    this.#index ??= this.#load();
    return this.#index;
  }

  #load(): IdentityIndex {
    const index = new IdentityIndex();
    for (const namespace of this.#namespaces.all()) {
      const storage = this.#storageIn(namespace);
      for (const id of storage?.list(ENTITY_PREFIX) ?? []) {
        const stored = storage?.get<Entity>(ENTITY_PREFIX + id);
        if (stored) index.addEntity(asEntity(stored, namespace));
      }
      for (const id of storage?.list(GROUP_PREFIX) ?? []) {
        const stored = storage?.get<IdentityGroup>(GROUP_PREFIX + id);
        if (stored) index.addGroup(stored);
      }
    }
    return index;
  }

  #read<T extends Entity | IdentityGroup>(namespace: Namespace, key: string): T | undefined {
    return this.#storageIn(namespace)?.get<T>(key);
  }

  #storageIn(namespace: Namespace): Storage | undefined {
    return this.#mounts.get(namespace, 'identity/')?.context.storage;
  }

  #storageOf({ namespaceId }: { readonly namespaceId: string }): Storage {
    const namespace = this.#namespaces.byId(namespaceId);
    const storage = namespace && this.#storageIn(namespace);
    if (storage === undefined) throw new Error(`the namespace ${namespaceId} has no identity store`);
    return storage;
  }
}

/** Returns an entity with defaults for the fields that earlier versions did not store. */
function asEntity(stored: Entity, { id }: Namespace): Entity {
  if (Object.hasOwn(stored, 'namespaceId')) return stored;
  const { createdAt, aliases } = stored;
  return {
    ...stored,
    namespaceId: id,
    updatedAt: createdAt,
    metadata: null,
    policies: [],
    disabled: false,
    mergedEntityIds: null,
    aliases: aliases.map((alias): Alias => ({
      ...alias,
      updatedAt: alias.createdAt,
      mergedFromEntityIds: null,
    })),
  };
}
