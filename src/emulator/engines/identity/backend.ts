import { route, type Backend, type MountContext, type Namespace, type Route } from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import type { JsonObject } from '../../core/primitives/json';
import { timestamp } from '../../core/primitives/clock';
import { Entities, type Alias, type Entity } from './entities';

/** Reads of the entities that logins made. They cannot be written. */
export function identity({ mount, storage, clock }: MountContext): Backend {
  const entities = new Entities(storage, clock);
  return {
    type: mount.type,
    help: 'The identity store knows the entities that log in.',
    routes: [
      list('entity/id', () => entities.all().map(({ id }) => id)),
      list('entity/name', () => entities.all().map(({ name }) => name)),
      read('entity/id', (id) => entities.get(id)),
      read('entity/name', (wanted) => entities.all().find(({ name }) => name === wanted)),
      lookup(entities),
    ],
  };
}

function list(pattern: string, keys: () => string[]): Route {
  return route({
    pattern,
    operations: { list: () => ({ data: { keys: keys() } }) },
    help: { synopsis: 'Lists entities.' },
  });
}

function read(pattern: string, find: (key: string) => Entity | undefined): Route {
  return route({
    pattern: `${pattern}/:key`,
    fields: { key: { type: 'string', path: true, description: 'Id or name of the entity.' } },
    operations: {
      read: ({ namespace, data }) => {
        const entity = find(data.key);
        return entity && { data: describeEntity(entity, namespace) };
      },
    },
    help: { synopsis: 'Reads an entity.' },
  });
}

function lookup(entities: Entities): Route {
  return route({
    pattern: 'lookup/entity',
    fields: {
      id: { type: 'string', description: 'Id of the entity.' },
      name: { type: 'string', description: 'Name of the entity.' },
      alias_id: { type: 'string', description: 'Id of an alias.' },
      alias_name: { type: 'string', description: 'Name of an alias, together with alias_mount_accessor.' },
      alias_mount_accessor: { type: 'string', description: 'Accessor of the auth method of an alias.' },
    },
    operations: {
      update: ({ namespace, data }) => {
        if (Object.values(data).every((value) => value === undefined)) {
          throw invalidRequest('query parameter not supplied');
        }
        const isSameAlias = (alias: Alias) =>
          alias.id === data.alias_id ||
          (alias.name === data.alias_name && alias.mountAccessor === data.alias_mount_accessor);
        const entity = entities
          .all()
          .find(({ id, name, aliases }) => id === data.id || name === data.name || aliases.some(isSameAlias));
        return entity && { data: describeEntity(entity, namespace) };
      },
    },
    help: { synopsis: 'Finds an entity by its id, its name or an alias.' },
  });
}

function describeEntity(entity: Entity, namespace: Namespace): JsonObject {
  return {
    aliases: entity.aliases.map((alias) => describeAlias(alias, entity.id)),
    creation_time: timestamp(entity.createdAt),
    direct_group_ids: [],
    disabled: false,
    group_ids: [],
    id: entity.id,
    inherited_group_ids: [],
    last_update_time: timestamp(entity.createdAt),
    merged_entity_ids: null,
    metadata: null,
    name: entity.name,
    namespace_id: namespace.id,
    policies: [],
  };
}

function describeAlias(alias: Alias, entityId: string): JsonObject {
  return {
    canonical_id: entityId,
    creation_time: timestamp(alias.createdAt),
    custom_metadata: alias.customMetadata,
    id: alias.id,
    last_update_time: timestamp(alias.createdAt),
    local: alias.local,
    merged_from_canonical_ids: null,
    metadata: alias.metadata,
    mount_accessor: alias.mountAccessor,
    mount_path: alias.mountPath,
    mount_type: alias.mountType,
    name: alias.name,
  };
}
