import {
  type LogicalRequest,
  type LogicalResponse,
  type MountEntry,
  type Namespace,
  type Route,
  route,
} from '../core/backend';
import { codedError, invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { uuid } from '../core/primitives/identifiers';
import type { FieldSchemas } from '../core/input/field-schemas';
import { aliasInfo, describeAlias } from './describe-identity';
import { isAt, isSameTexts, newEntity, withAlias } from '../core/identity/entities';
import { otherNamespace, checkCustomMetadata } from './identity-checks';
import { idListRoute } from './list-routes';
import type { Alias, Entity } from '../core/identity/records';

const FIELDS = {
  id: { type: 'string', description: 'Id of the alias. If set, the alias is updated.' },
  entity_id: { type: 'string', description: "Use 'canonical_id' instead." },
  canonical_id: { type: 'string', description: 'Id of the entity that the alias belongs to.' },
  mount_accessor: { type: 'string', description: 'Accessor of the auth method of the alias.' },
  name: { type: 'string', description: 'Name of the alias at the auth method.' },
  custom_metadata: { type: 'key_values', description: 'Metadata of the alias.' },
} as const satisfies FieldSchemas;

type Written = LogicalRequest<typeof FIELDS>;

/** The alias that a write requests; empty for fields that it leaves out. */
interface Wanted {
  readonly entityId: string;
  readonly name: string;
  readonly mountAccessor: string;
  readonly customMetadata: Readonly<Record<string, string>> | undefined;
}

export function entityAliasRoutes(parts: ClusterParts): readonly Route[] {
  const { identity } = parts;
  const write = (request: Written) => writeAlias(parts, request);
  return [
    route({
      pattern: 'entity-alias',
      fields: FIELDS,
      operations: { update: write },
      help: { synopsis: 'Creates or updates an alias of an entity.' },
    }),
    idListRoute('entity-alias/id', 'the aliases of entities', (namespace) =>
      identity.entities
        .in(namespace)
        .flatMap((entity) => entity.aliases.map((alias) => ({ alias, entity })))
        .sort((a, b) => (a.alias.id < b.alias.id ? -1 : 1))
        .map(({ alias, entity }) => [alias.id, aliasInfo(parts, alias, entity)]),
    ),
    route({
      pattern: 'entity-alias/id/:id',
      fields: { ...FIELDS, id: { ...FIELDS.id, path: true } },
      operations: {
        update: (request) => write(request),
        read: ({ data, namespace }) => {
          const found = findAlias(parts, data.id);
          if (found === undefined) return undefined;
          if (found.entity.namespaceId !== namespace.id)
            throw otherNamespace('alias and request are in different namespaces');
          return { data: describeAlias(parts, found.alias, found.entity) };
        },
        delete: ({ data, namespace }) => {
          const found = findAlias(parts, data.id);
          if (found === undefined) return;
          if (found.entity.namespaceId !== namespace.id)
            throw otherNamespace('request and alias are in different namespaces');
          identity.putEntity(withoutAlias(found.entity, data.id));
        },
      },
      help: { synopsis: 'Reads, updates and deletes an alias of an entity.' },
    }),
  ];
}

function findAlias({ identity }: ClusterParts, id: string): { alias: Alias; entity: Entity } | undefined {
  const entity = identity.entities.byAliasId(id);
  const alias = entity?.aliases.find((each) => each.id === id);
  return entity && alias && { alias, entity };
}

function writeAlias(parts: ClusterParts, { data, namespace }: Written): LogicalResponse | undefined {
  const { id = '', name = '', mount_accessor: mountAccessor = '', custom_metadata: customMetadata } = data;
  const entityId = data.canonical_id || data.entity_id || '';
  if (customMetadata !== undefined) checkCustomMetadata(customMetadata);
  const wanted = { entityId, name, mountAccessor, customMetadata };
  if (id !== '') return updateById(parts, namespace, id, wanted);
  if (mountAccessor === '' || name === '')
    throw invalidRequest("'id' or 'mount_accessor' and 'name' must be provided");
  const mount = requireMount(parts, mountAccessor);
  if (mount.namespaceId !== namespace.id)
    throw otherNamespace('matching mount is in a different namespace than request');
  const entity = parts.identity.entities.byAlias(mountAccessor, name);
  const alias = entity?.aliases.find((each) => isAt(each, mountAccessor, name));
  if (entity === undefined || alias === undefined) return createAlias(parts, namespace, mount, wanted);
  return updateAlias(parts, entity, alias, { ...wanted, customMetadata: customMetadata ?? {} });
}

function updateById(
  parts: ClusterParts,
  namespace: Namespace,
  id: string,
  wanted: Wanted,
): LogicalResponse | undefined {
  const found = findAlias(parts, id);
  if (found === undefined) throw invalidRequest('invalid alias ID provided');
  const { alias, entity } = found;
  if (entity.namespaceId !== namespace.id) throw otherNamespace('cannot modify aliases across namespaces');
  return updateAlias(parts, entity, alias, wanted);
}

function createAlias(
  parts: ClusterParts,
  namespace: Namespace,
  mount: MountEntry,
  { entityId, name, mountAccessor, customMetadata }: Wanted,
): LogicalResponse {
  const { identity } = parts;
  const entity = entityId === '' ? newEntity(identity, namespace) : identity.entities.byId(entityId);
  if (entity === undefined) throw invalidRequest('invalid canonical ID');
  if (entity.namespaceId !== namespace.id)
    throw otherNamespace("entity found with 'canonical_id' not in request namespace");
  if (entity.aliases.some((each) => each.mountAccessor === mountAccessor))
    throw invalidRequest('Alias already exists for requested entity and mount accessor');
  const alias: Alias = {
    id: uuid(),
    name,
    mountAccessor,
    local: mount.local,
    createdAt: identity.now,
    updatedAt: identity.now,
    metadata: null,
    customMetadata: customMetadata ?? {},
    mergedFromEntityIds: null,
  };
  identity.putEntity({ ...entity, aliases: [...entity.aliases, alias] });
  return { data: { canonical_id: entity.id, id: alias.id } };
}

/** Changes an alias, and moves it to the entity in the request. */
function updateAlias(
  parts: ClusterParts,
  entity: Entity,
  before: Alias,
  wanted: Wanted,
): LogicalResponse | undefined {
  const { identity } = parts;
  const alias: Alias = {
    ...before,
    name: wanted.name || before.name,
    mountAccessor: wanted.mountAccessor || before.mountAccessor,
    customMetadata: wanted.customMetadata ?? before.customMetadata,
    updatedAt: identity.now,
  };
  const isMoved = wanted.entityId !== '' && wanted.entityId !== entity.id;
  const isChanged =
    alias.name !== before.name ||
    alias.mountAccessor !== before.mountAccessor ||
    !isSameTexts(alias.customMetadata ?? {}, before.customMetadata ?? {});
  if (!isMoved && !isChanged) return undefined;
  const { mountAccessor } = alias;
  if (mountAccessor !== before.mountAccessor && !isMoved && hasAliasAt(entity, mountAccessor)) {
    throw invalidRequest(
      "Alias cannot be updated as the entity already has an alias for the given 'mount_accessor' ",
    );
  }
  const mount = isChanged ? requireMount(parts, mountAccessor) : parts.mounts.byAccessor(mountAccessor);
  if (mount === undefined) throw codedError(500, `invalid mount accessor "${mountAccessor}"`);
  if (mount.namespaceId !== entity.namespaceId)
    throw otherNamespace('given mount accessor is not in the same namespace as the existing alias');
  const holder = identity.entities.byAlias(mountAccessor, alias.name);
  const taken = holder?.aliases.find((each) => isAt(each, mountAccessor, alias.name));
  if (taken !== undefined && taken.id !== alias.id)
    throw invalidRequest('alias with combination of mount accessor and name already exists');
  const target = isMoved ? targetOf(parts, entity, wanted.entityId, mount) : entity;
  if (isMoved) identity.putEntity(withoutAlias(entity, alias.id));
  identity.putEntity(withAlias(target, alias));
  return { data: { canonical_id: target.id, id: alias.id } };
}

function targetOf(
  { identity }: ClusterParts,
  { namespaceId }: Entity,
  id: string,
  { accessor, local }: MountEntry,
): Entity {
  if (local) throw invalidRequest("local aliases can't be moved between entities");
  const target = identity.entities.byId(id);
  if (target === undefined) throw invalidRequest("given 'canonical_id' is not associated with an entity");
  if (target.namespaceId !== namespaceId) {
    throw otherNamespace(
      "given 'canonical_id' associated with entity in a different namespace from the alias",
    );
  }
  if (hasAliasAt(target, accessor)) {
    throw invalidRequest('Alias cannot be updated as the given entity already has an alias for this mount ');
  }
  return target;
}

function hasAliasAt({ aliases }: Entity, accessor: string): boolean {
  return aliases.some(({ mountAccessor }) => mountAccessor === accessor);
}

function requireMount({ mounts }: ClusterParts, accessor: string): MountEntry {
  const mount = mounts.byAccessor(accessor);
  if (mount === undefined) throw invalidRequest(`invalid mount accessor "${accessor}"`);
  return mount;
}

function withoutAlias(entity: Entity, id: string): Entity {
  return { ...entity, aliases: entity.aliases.filter((alias) => alias.id !== id) };
}
