import {
  type LogicalRequest,
  type LogicalResponse,
  type Namespace,
  type Route,
  route,
} from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { uuid } from '../core/primitives/identifiers';
import type { FieldSchemas } from '../core/input/field-schemas';
import { describeEntity, entityInfo } from './describe-identity';
import { generatedName } from '../core/identity/entities';
import { policyNames, checkMetadata } from './identity-checks';
import { mergeEntities } from './merge';
import { listRoutes } from './list-routes';
import type { Entity } from '../core/identity/records';

const FIELDS = {
  id: { type: 'string', description: 'Id of the entity. If set, the entity is updated.' },
  name: { type: 'string', description: 'Name of the entity.' },
  metadata: { type: 'key_values', description: 'Metadata of the entity.' },
  policies: { type: 'comma_string_list', description: 'Policies of all tokens of the entity.' },
  disabled: { type: 'boolean', description: 'Whether tokens of the entity are refused.' },
} as const satisfies FieldSchemas;

type Written = LogicalRequest<typeof FIELDS>;

export function entityRoutes(parts: ClusterParts): readonly Route[] {
  const { identity } = parts;
  const write = (request: Written) => writeEntity(parts, request);
  const read = (entity: Entity | undefined, namespace: Namespace) =>
    entity?.namespaceId === namespace.id ? { data: describeEntity(parts, entity) } : undefined;
  const remove = (entity: Entity | undefined, namespace: Namespace): undefined => {
    if (entity?.namespaceId === namespace.id) deleteEntity(parts, entity);
  };
  return [
    route({
      pattern: 'entity',
      fields: FIELDS,
      operations: { update: write },
      help: { synopsis: 'Creates or updates an entity.' },
    }),
    ...listRoutes(
      'entity',
      'entities',
      (namespace) => identity.entities.in(namespace),
      (each) => entityInfo(parts, each),
    ),
    route({
      pattern: 'entity/id/:id',
      fields: { ...FIELDS, id: { ...FIELDS.id, path: true } },
      operations: {
        update: (request) => write(request),
        read: ({ data, namespace }) => read(identity.entities.byId(data.id), namespace),
        delete: ({ data, namespace }) => remove(identity.entities.byId(data.id), namespace),
      },
      help: { synopsis: 'Reads, updates and deletes an entity by its id.' },
    }),
    route({
      pattern: 'entity/name/*name',
      fields: { ...FIELDS, name: { ...FIELDS.name, path: true } },
      operations: {
        update: (request) => write(request),
        read: ({ data, namespace }) => read(identity.entities.byName(namespace, data.name), namespace),
        delete: ({ data, namespace }) => remove(identity.entities.byName(namespace, data.name), namespace),
      },
      help: { synopsis: 'Reads, writes and deletes an entity by its name.' },
    }),
    route({
      pattern: 'entity/batch-delete',
      fields: { entity_ids: { type: 'comma_string_list', default: [], description: 'Ids of entities.' } },
      operations: {
        update: ({ data, namespace }) => {
          if (data.entity_ids.length === 0) throw invalidRequest('missing entity ids to delete');
          for (const id of data.entity_ids) remove(identity.entities.byId(id), namespace);
        },
      },
      help: { synopsis: 'Deletes several entities.' },
    }),
    route({
      pattern: 'entity/merge',
      fields: {
        from_entity_ids: { type: 'comma_string_list', default: [], description: 'Ids of entities to merge.' },
        to_entity_id: { type: 'string', default: '', description: 'Id of the entity to merge them into.' },
        conflicting_alias_ids_to_keep: {
          type: 'comma_string_list',
          default: [],
          description: 'Which aliases to keep if both entities have one at the same auth method.',
        },
        force: { type: 'boolean', default: false, description: 'Merge in spite of conflicting MFA secrets.' },
      },
      operations: {
        update: ({ data, namespace }) => {
          if (data.to_entity_id === '') throw invalidRequest('missing entity id to merge to');
          if (data.from_entity_ids.length === 0) throw invalidRequest('missing entity ids to merge from');
          return mergeEntities(parts, namespace, {
            to: data.to_entity_id,
            from: data.from_entity_ids,
            aliasIdsToKeep: data.conflicting_alias_ids_to_keep,
          });
        },
      },
      help: { synopsis: 'Merges entities into one.' },
    }),
  ];
}

function writeEntity({ identity }: ClusterParts, { data, namespace }: Written): LogicalResponse | undefined {
  const { id = '', name = '', metadata, disabled } = data;
  const before = entityBefore();
  const entity: Entity = {
    id: before?.id ?? uuid(),
    name:
      name !== ''
        ? name
        : (before?.name ??
          generatedName('entity', (each) => identity.entities.byName(namespace, each) !== undefined)),
    namespaceId: namespace.id,
    createdAt: before?.createdAt ?? identity.now,
    updatedAt: identity.now,
    metadata: metadata ?? before?.metadata ?? null,
    policies: data.policies === undefined ? (before?.policies ?? []) : policyNames(data.policies),
    disabled: disabled ?? before?.disabled ?? false,
    mergedEntityIds: before?.mergedEntityIds ?? null,
    aliases: before?.aliases ?? [],
  };
  checkMetadata('entity', entity.metadata);
  identity.putEntity(entity);
  return before === undefined ? { data: { aliases: null, id: entity.id, name: entity.name } } : undefined;

  /** Returns the entity with the id or, without an id, with the name. */
  function entityBefore(): Entity | undefined {
    const byId = id === '' ? undefined : identity.entities.byId(id);
    if (id !== '' && byId?.namespaceId !== namespace.id) throw invalidRequest('entity not found from id');
    const byName = name === '' ? undefined : identity.entities.byName(namespace, name);
    if (byId !== undefined && byName !== undefined && byName.id !== byId.id)
      throw invalidRequest('entity name is already in use');
    return byId ?? byName;
  }
}

function deleteEntity({ identity }: ClusterParts, entity: Entity): void {
  for (const group of identity.groupsOfMember(entity.id)) {
    const memberEntityIds = (group.memberEntityIds ?? []).filter((id) => id !== entity.id);
    identity.putGroup({ ...group, memberEntityIds });
  }
  identity.deleteEntity(entity);
}
