import { type LogicalResponse, type Route, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import type { Decoded, FieldSchemas } from '../core/input/fields';
import { describeEntity, describeGroup } from './describe';
import { otherNamespace } from './checks';

const FIELDS = {
  id: { type: 'string', description: 'The id.' },
  name: { type: 'string', description: 'The name.' },
  alias_id: { type: 'string', description: 'Id of an alias.' },
  alias_name: { type: 'string', description: 'Name of an alias, together with alias_mount_accessor.' },
  alias_mount_accessor: { type: 'string', description: 'Accessor of the auth method of an alias.' },
} as const satisfies FieldSchemas;

/** Ways to find one thing. */
interface Finders<T> {
  byId(id: string): T | undefined;
  byName(name: string): T | undefined;
  byAliasId(id: string): T | undefined;
  byAlias(mountAccessor: string, name: string): T | undefined;
}

export function lookupRoutes(parts: ClusterParts): readonly Route[] {
  const { identity } = parts;
  return [
    route({
      pattern: 'lookup/entity',
      fields: FIELDS,
      operations: {
        update: ({ data, namespace }): LogicalResponse | undefined => {
          const entity = lookup(data, {
            byId: (id) => identity.entity(id),
            byName: (name) => identity.entityByName(namespace, name),
            byAliasId: (id) => identity.entityByAliasId(id),
            byAlias: (accessor, name) => identity.entityByAlias(accessor, name),
          });
          if (entity?.namespaceId !== namespace.id) return undefined;
          return { data: describeEntity(parts, entity) };
        },
      },
      help: { synopsis: 'Finds an entity by its id, its name or an alias.' },
    }),
    route({
      pattern: 'lookup/group',
      fields: FIELDS,
      operations: {
        update: ({ data, namespace }): LogicalResponse | undefined => {
          const group = lookup(data, {
            byId: (id) => identity.group(id),
            byName: (name) => identity.groupByName(namespace, name),
            byAliasId: (id) => identity.groupByAliasId(id),
            byAlias: (accessor, name) => identity.groupByAlias(accessor, name),
          });
          if (group === undefined) return undefined;
          if (group.namespaceId !== namespace.id)
            throw otherNamespace('request namespace is not the same as the group namespace');
          return { data: describeGroup(parts, group) };
        },
      },
      help: { synopsis: 'Finds a group by its id, its name or its alias.' },
    }),
  ];
}

function lookup<T>(data: Decoded<typeof FIELDS>, finders: Finders<T>): T | undefined {
  const { id, name, alias_id: aliasId, alias_name: aliasName, alias_mount_accessor: accessor } = data;
  const given = Object.values(data).filter((value) => value !== undefined).length;
  if (given === 0) throw invalidRequest('query parameter not supplied');
  const isPair = Boolean(aliasName) && Boolean(accessor);
  if (given > 2 || (given === 2 && !isPair))
    throw invalidRequest('query parameter conflict; please supply distinct set of query parameters');
  if (given === 1 && (aliasName || accessor))
    throw invalidRequest("both 'alias_name' and 'alias_mount_accessor' needs to be set");
  if (id) return finders.byId(id);
  if (name) return finders.byName(name);
  if (aliasId) return finders.byAliasId(aliasId);
  return aliasName && accessor ? finders.byAlias(accessor, aliasName) : undefined;
}
