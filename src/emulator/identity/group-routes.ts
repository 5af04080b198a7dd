import {
  type LogicalRequest,
  type LogicalResponse,
  type Namespace,
  type Route,
  route,
} from '../core/backend';
import { codedError, invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { uuid } from '../core/primitives/identifiers';
import type { FieldSchemas } from '../core/input/field-schemas';
import { describeGroup, groupInfo } from './describe-identity';
import { generatedName } from '../core/identity/entities';
import { otherNamespace, policyNames, checkMetadata } from './identity-checks';
import { hasMemberGroup } from '../core/identity/memberships';
import { listRoutes } from './list-routes';
import type { IdentityGroup } from '../core/identity/records';

const FIELDS = {
  id: { type: 'string', description: 'Id of the group. If set, the group is updated.' },
  name: { type: 'string', description: 'Name of the group.' },
  type: { type: 'string', description: 'internal or external. Default: internal.' },
  metadata: { type: 'key_values', description: 'Metadata of the group.' },
  policies: { type: 'comma_string_list', description: 'Policies of all tokens of its members.' },
  member_entity_ids: { type: 'comma_string_list', description: 'Ids of the entities that are members.' },
  member_group_ids: { type: 'comma_string_list', description: 'Ids of the groups that are members.' },
} as const satisfies FieldSchemas;

type Written = LogicalRequest<typeof FIELDS>;

const SAME_NAMESPACE = 'request namespace is not the same as the group namespace';

export function groupRoutes(parts: ClusterParts): readonly Route[] {
  const { identity } = parts;
  const read = (group: IdentityGroup | undefined, namespace: Namespace): LogicalResponse | undefined => {
    if (group === undefined) return undefined;
    if (group.namespaceId !== namespace.id) throw otherNamespace(SAME_NAMESPACE);
    return { data: describeGroup(parts, group) };
  };
  const remove = (group: IdentityGroup | undefined, namespace: Namespace): undefined => {
    if (group === undefined) return;
    if (group.namespaceId !== namespace.id) throw otherNamespace(SAME_NAMESPACE);
    identity.deleteGroup(group);
  };
  const writeById = (request: Written, id: string) => {
    if (id === '') throw invalidRequest('empty group ID');
    const group = identity.groups.byId(id);
    if (group === undefined) throw invalidRequest('invalid group ID');
    return writeGroup(parts, request, group);
  };
  const writeByName = (request: Written, name: string) => {
    if (name === '') throw invalidRequest('empty group name');
    return writeGroup(parts, request, identity.groups.byName(request.namespace, name));
  };
  return [
    route({
      pattern: 'group',
      fields: FIELDS,
      operations: {
        update: (request) => {
          const { id, name } = request.data;
          if (id !== undefined) return writeById(request, id);
          return name === undefined ? writeGroup(parts, request, undefined) : writeByName(request, name);
        },
      },
      help: { synopsis: 'Creates or updates a group.' },
    }),
    ...listRoutes(
      'group',
      'groups',
      (namespace) => identity.groups.in(namespace),
      (each) => groupInfo(parts, each),
    ),
    route({
      pattern: 'group/id/:id',
      fields: { ...FIELDS, id: { ...FIELDS.id, path: true } },
      operations: {
        update: (request) => writeById(request, request.data.id),
        read: ({ data, namespace }) => read(identity.groups.byId(data.id), namespace),
        delete: ({ data, namespace }) => remove(identity.groups.byId(data.id), namespace),
      },
      help: { synopsis: 'Reads, updates and deletes a group by its id.' },
    }),
    route({
      pattern: 'group/name/*name',
      fields: { ...FIELDS, name: { ...FIELDS.name, path: true } },
      operations: {
        update: (request) => writeByName(request, request.data.name),
        read: ({ data, namespace }) => read(identity.groups.byName(namespace, data.name), namespace),
        delete: ({ data, namespace }) => remove(identity.groups.byName(namespace, data.name), namespace),
      },
      help: { synopsis: 'Reads, writes and deletes a group by its name.' },
    }),
  ];
}

function writeGroup(
  { identity }: ClusterParts,
  { data, namespace }: Written,
  before: IdentityGroup | undefined,
): LogicalResponse | undefined {
  const { name = '', metadata, member_entity_ids: entityIds, member_group_ids: groupIds } = data;
  const policies = data.policies === undefined ? before?.policies : policyNames(data.policies);
  const type = typeOf(data.type, before);
  const named = name === '' ? undefined : identity.groups.byName(namespace, name);
  if (named !== undefined && named.id !== before?.id) throw invalidRequest('group name is already in use');
  if (type === 'external' && entityIds !== undefined)
    throw invalidRequest("member entities can't be set manually for external groups");
  if (type === 'external' && groupIds !== undefined)
    throw invalidRequest("member groups can't be set for external groups");
  const group: IdentityGroup = {
    ...(before ?? newGroup(namespace, identity.now)),
    name:
      name !== ''
        ? name
        : (before?.name ??
          generatedName('group', (each) => identity.groups.byName(namespace, each) !== undefined)),
    type,
    updatedAt: identity.now,
    metadata: metadata ?? before?.metadata ?? null,
    policies: policies ?? null,
    memberEntityIds: entityIds === undefined ? (before?.memberEntityIds ?? null) : [...new Set(entityIds)],
  };
  if (group.namespaceId !== namespace.id) throw codedError(500, 'group does not belong to this namespace');
  checkMetadata('group', group.metadata);
  const missing = group.memberEntityIds?.find((id) => identity.entities.byId(id) === undefined);
  if (missing !== undefined) throw codedError(500, `invalid entity ID "${missing}"`);
  if (groupIds !== undefined) setMemberGroups(group, [...new Set(groupIds)], identity);
  const stored = identity.putGroup(group);
  return before === undefined ? { data: { id: stored.id, name: stored.name } } : undefined;
}

function typeOf(written: string | undefined, before: IdentityGroup | undefined): IdentityGroup['type'] {
  if (before !== undefined && written !== undefined && written !== before.type)
    throw invalidRequest('group type cannot be changed');
  const type = written || (before?.type ?? 'internal');
  if (type !== 'internal' && type !== 'external') throw invalidRequest(`invalid group type "${type}"`);
  return type;
}

/** Returns a new group. */
export function newGroup({ id }: Namespace, now: number): IdentityGroup {
  return {
    id: uuid(),
    name: '',
    namespaceId: id,
    type: 'internal',
    createdAt: now,
    updatedAt: now,
    modifyIndex: 0,
    metadata: null,
    policies: null,
    memberEntityIds: null,
    parentGroupIds: null,
    alias: null,
  };
}

/** Sets the groups that are members of a group. The members store their parents, not vice versa. */
function setMemberGroups(
  { id }: IdentityGroup,
  wanted: readonly string[],
  identity: ClusterParts['identity'],
): void {
  const members = wanted.map((memberId) => {
    const member = identity.groups.byId(memberId);
    if (member === undefined) throw codedError(500, `invalid member group ID "${memberId}"`);
    const isNew = member.parentGroupIds?.includes(id) !== true;
    if (isNew && memberId === id)
      throw codedError(500, `member group ID "${id}" is same as the ID of the group`);
    if (isNew && hasMemberGroup(identity, memberId, id))
      throw invalidRequest(`cyclic relationship detected for member group ID "${memberId}"`);
    return { member, isNew };
  });
  for (const left of identity.memberGroups(id).filter((each) => !wanted.includes(each.id))) {
    identity.putGroup({ ...left, parentGroupIds: (left.parentGroupIds ?? []).filter((each) => each !== id) });
  }
  for (const { member, isNew } of members) {
    if (isNew) identity.putGroup({ ...member, parentGroupIds: [...(member.parentGroupIds ?? []), id] });
  }
}
