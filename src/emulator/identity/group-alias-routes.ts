import { type LogicalRequest, type LogicalResponse, type Route, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { uuid } from '../core/primitives/identifiers';
import type { FieldSchemas } from '../core/input/field-schemas';
import { describeGroupAlias, groupAliasInfo } from './describe-identity';
import { newGroup } from './group-routes';
import { generatedName } from '../core/identity/entities';
import { otherNamespace } from './identity-checks';
import { idListRoute } from './list-routes';
import type { IdentityGroup, GroupAlias } from '../core/identity/records';

const FIELDS = {
  id: { type: 'string', description: 'Id of the alias. If set, the alias is updated.' },
  name: { type: 'string', description: "Name of the auth method's group." },
  mount_accessor: { type: 'string', description: 'Accessor of the auth method.' },
  canonical_id: { type: 'string', description: 'Id of the group that this is an alias of.' },
} as const satisfies FieldSchemas;

type Written = LogicalRequest<typeof FIELDS>;

export function groupAliasRoutes(parts: ClusterParts): readonly Route[] {
  const { identity } = parts;
  const writeById = (request: Written, id: string) => {
    if (id === '') throw invalidRequest('empty group alias ID');
    const group = identity.groups.byAliasId(id);
    if (!group?.alias) throw invalidRequest('invalid group alias ID');
    return writeAlias(parts, request, { group, alias: group.alias });
  };
  return [
    route({
      pattern: 'group-alias',
      fields: FIELDS,
      operations: {
        update: (request) =>
          request.data.id === undefined ? writeAlias(parts, request) : writeById(request, request.data.id),
      },
      help: { synopsis: 'Creates or updates an alias of a group.' },
    }),
    idListRoute('group-alias/id', 'the aliases of groups', (namespace) =>
      identity.groups
        .in(namespace)
        .flatMap((group) => (group.alias === null ? [] : [{ group, alias: group.alias }]))
        .sort((a, b) => (a.alias.id < b.alias.id ? -1 : 1))
        .map(({ group, alias }) => [alias.id, groupAliasInfo(parts, alias, group)]),
    ),
    route({
      pattern: 'group-alias/id/:id',
      fields: { ...FIELDS, id: { ...FIELDS.id, path: true } },
      operations: {
        update: (request) => writeById(request, request.data.id),
        read: ({ data, namespace }) => {
          const group = identity.groups.byAliasId(data.id);
          if (!group?.alias) return undefined;
          if (group.namespaceId !== namespace.id)
            throw otherNamespace('alias and request are in different namespaces');
          return { data: describeGroupAlias(parts, group.alias, group) };
        },
        delete: ({ data, namespace }) => {
          const group = identity.groups.byAliasId(data.id);
          if (group === undefined) return;
          if (group.namespaceId !== namespace.id)
            throw otherNamespace('request namespace is not the same as the group alias namespace');
          identity.putGroup({ ...group, alias: null });
        },
      },
      help: { synopsis: 'Reads, updates and deletes an alias of a group.' },
    }),
  ];
}

function writeAlias(
  parts: ClusterParts,
  { data, namespace }: Written,
  before?: { readonly group: IdentityGroup; readonly alias: GroupAlias },
): LogicalResponse | undefined {
  const { identity, mounts } = parts;
  const { name = '', mount_accessor: mountAccessor = '', canonical_id: groupId = '' } = data;
  if (before !== undefined && before.group.namespaceId !== namespace.id)
    throw otherNamespace('existing alias not in the same namespace as request');
  if (name === '') throw invalidRequest('missing alias name');
  if (mountAccessor === '') throw invalidRequest('missing mount_accessor');
  const isSame =
    before?.alias.name === name &&
    before.alias.mountAccessor === mountAccessor &&
    (groupId === '' || groupId === before.group.id);
  if (isSame) return undefined;
  const wanted = groupId === '' ? undefined : externalGroup(identity.groups.byId(groupId), namespace.id);
  const mount = mounts.byAccessor(mountAccessor);
  if (mount === undefined) throw invalidRequest(`invalid mount accessor "${mountAccessor}"`);
  if (mount.local) throw invalidRequest(`mount accessor "${mountAccessor}" is a local mount`);
  if (mount.namespaceId !== namespace.id)
    throw otherNamespace("mount referenced via 'mount_accessor' not in the same namespace as alias");
  const taken = identity.groups.byAlias(mountAccessor, name)?.alias;
  if (taken && taken.id !== before?.alias.id)
    throw invalidRequest('combination of mount and group alias name is already in use');
  const group = wanted ?? before?.group ?? newExternalGroup();
  if (before !== undefined && before.group.id !== group.id)
    identity.putGroup({ ...before.group, alias: null });
  const alias: GroupAlias = {
    id: before?.alias.id ?? uuid(),
    name,
    mountAccessor,
    createdAt: before?.alias.createdAt ?? identity.now,
    updatedAt: identity.now,
  };
  identity.putGroup({ ...group, alias, updatedAt: identity.now });
  return { data: { canonical_id: group.id, id: alias.id } };

  function newExternalGroup(): IdentityGroup {
    const generated = generatedName('group', (each) => identity.groups.byName(namespace, each) !== undefined);
    return { ...newGroup(namespace, identity.now), type: 'external', name: generated };
  }
}

function externalGroup(group: IdentityGroup | undefined, namespaceId: string): IdentityGroup {
  if (group === undefined) throw invalidRequest("invalid group ID given in 'canonical_id'");
  if (group.type !== 'external') throw invalidRequest("alias can't be set on an internal group");
  if (group.namespaceId !== namespaceId)
    throw otherNamespace("group referenced with 'canonical_id' not in the same namespace as alias");
  return group;
}
