import type { Namespace, PoliciesByNamespace, TokenEntry } from '../backend';
import type { NamespaceStore } from '../stores/namespace-store';
import type { IdentityStore } from './identity-store';
import { membershipsOf } from './memberships';
import type { Entity } from './records';

const NONE: PoliciesByNamespace = new Map();

/**
 * Returns the policies of a kind that a token gets from its entity and its groups. ACL policies of
 * a group apply to tokens of the group's namespace and of its parent namespaces, or to all tokens.
 * RGPs of a group apply to tokens of its namespace and of the namespaces below it.
 */
export function derivedPolicies(
  store: IdentityStore,
  namespaces: NamespaceStore,
  token: Pick<TokenEntry, 'entityId' | 'namespaceId'>,
  kind: 'acl' | 'rgp' = 'acl',
): PoliciesByNamespace {
  const entity = token.entityId === undefined ? undefined : store.entityOrMerged(token.entityId);
  if (entity === undefined) return NONE;
  const found = new Map<string, Set<string>>();
  const add = (namespaceId: string, names: readonly string[]) => {
    if (names.length === 0) return;
    const known = found.get(namespaceId) ?? new Set();
    for (const name of names) known.add(name);
    found.set(namespaceId, known);
  };
  add(entity.namespaceId, entity.policies);
  const own = namespaces.byId(token.namespaceId);
  const applies = (group: Namespace) =>
    own !== undefined &&
    (kind === 'rgp' ? isWithin(own, group) : store.areGroupsForAll || isWithin(group, own));
  for (const group of groupsOf(store, entity)) {
    const namespace = namespaces.byId(group.namespaceId);
    if (namespace && applies(namespace)) add(namespace.id, group.policies ?? []);
  }
  return new Map([...found].map(([id, names]) => [id, [...names]]));
}

function groupsOf(store: IdentityStore, { id }: Entity) {
  const { direct, inherited } = membershipsOf(store, id);
  return [...direct, ...inherited];
}

/** Whether a namespace is the same as another one, or below it. */
function isWithin(namespace: Namespace, other: Namespace): boolean {
  return namespace.path.startsWith(other.path);
}
