import { type LogicalResponse, type Namespace, type Route, route } from '../core/backend';
import type { Finder } from '../core/identity/record-index';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import type { Decoded, FieldSchemas } from '../core/input/field-schemas';
import { describeEntity, describeGroup } from './describe-identity';
import { otherNamespace } from './identity-checks';

const FIELDS = {
  id: { type: 'string', description: 'The id.' },
  name: { type: 'string', description: 'The name.' },
  alias_id: { type: 'string', description: 'Id of an alias.' },
  alias_name: { type: 'string', description: 'Name of an alias, together with alias_mount_accessor.' },
  alias_mount_accessor: { type: 'string', description: 'Accessor of the auth method of an alias.' },
} as const satisfies FieldSchemas;

export function lookupRoutes(parts: ClusterParts): readonly Route[] {
  const { identity } = parts;
  return [
    route({
      pattern: 'lookup/entity',
      fields: FIELDS,
      operations: {
        update: ({ data, namespace }): LogicalResponse | undefined => {
          const entity = lookup(data, namespace, identity.entities);
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
          const group = lookup(data, namespace, identity.groups);
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

function lookup<T>(data: Decoded<typeof FIELDS>, namespace: Namespace, finder: Finder<T>): T | undefined {
  const { id, name, alias_id: aliasId, alias_name: aliasName, alias_mount_accessor: accessor } = data;
  const given = Object.values(data).filter((value) => value !== undefined).length;
  if (given === 0) throw invalidRequest('query parameter not supplied');
  const isPair = Boolean(aliasName) && Boolean(accessor);
  if (given > 2 || (given === 2 && !isPair))
    throw invalidRequest('query parameter conflict; please supply distinct set of query parameters');
  if (given === 1 && (aliasName || accessor))
    throw invalidRequest("both 'alias_name' and 'alias_mount_accessor' needs to be set");
  if (id) return finder.byId(id);
  if (name) return finder.byName(namespace, name);
  if (aliasId) return finder.byAliasId(aliasId);
  return aliasName && accessor ? finder.byAlias(accessor, aliasName) : undefined;
}
