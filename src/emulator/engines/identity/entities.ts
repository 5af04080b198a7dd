import type { LoginAlias, MountEntry, Namespace } from '../../core/backend';
import type { Clock } from '../../core/primitives/clock';
import { randomText, uuid } from '../../core/primitives/identifiers';
import type { JsonObject } from '../../core/primitives/json';
import type { MountTable } from '../../core/stores/mounts';
import type { Storage } from '../../core/stores/storage';

/** Somebody who logs in, whatever the auth methods call them. Times are milliseconds since 1970. */
export interface Entity extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly aliases: readonly Alias[];
}

/** An entity's name at one auth method. */
export interface Alias extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly mountAccessor: string;
  readonly mountPath: string;
  readonly mountType: string;
  readonly local: boolean;
  readonly createdAt: number;
  /** As of the login that made the alias. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly customMetadata: Readonly<Record<string, string>>;
}

/** The entities of one namespace. The first login under a name makes one. */
export class Entities {
  readonly #storage: Storage;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** The entity of a user of an auth method. */
  ofUser(mount: MountEntry, user: LoginAlias, metadata: Alias['metadata']): Entity {
    const known = this.all().find(({ aliases }) =>
      aliases.some((alias) => alias.name === user.name && alias.mountAccessor === mount.accessor),
    );
    return known ?? this.#create(mount, user, metadata);
  }

  get(id: string): Entity | undefined {
    return this.#storage.get<Entity>(PREFIX + id);
  }

  all(): Entity[] {
    return this.#storage
      .list(PREFIX)
      .map((id) => this.get(id))
      .filter((entity) => entity !== undefined);
  }

  #create(mount: MountEntry, user: LoginAlias, metadata: Alias['metadata']): Entity {
    const createdAt = this.#clock.now();
    const alias: Alias = {
      id: uuid(),
      name: user.name,
      mountAccessor: mount.accessor,
      mountPath: mount.path,
      mountType: mount.type,
      local: mount.local,
      createdAt,
      metadata,
      customMetadata: user.customMetadata,
    };
    const entity: Entity = {
      id: uuid(),
      name: `entity_${randomText(8).toLowerCase()}`,
      createdAt,
      aliases: [alias],
    };
    this.#storage.put(PREFIX + entity.id, entity);
    return entity;
  }
}

const PREFIX = 'entity/';

/** The entities of a namespace; `undefined` if the namespace is gone. */
export function entitiesOf(mounts: MountTable, namespace: Namespace): Entities | undefined {
  const context = mounts.get(namespace, 'identity/')?.context;
  return context && new Entities(context.storage, context.clock);
}
