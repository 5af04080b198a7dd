import type { Namespace, PoliciesByNamespace, TokenEntry } from '../backend';
import type { NamespaceStore } from '../stores/namespaces';
import type { IdentityStore } from './identity-store';
import { membershipsOf } from './memberships';
import type { Entity } from './records';

const NONE: PoliciesByNamespace = new Map();

/** Returns the policies that a token gets from its entity and its groups. */
export function derivedPolicies(
  store: IdentityStore,
  namespaces: NamespaceStore,
  token: Pick<TokenEntry, 'entityId' | 'namespaceId'>,
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
  const within = namespaces.byId(token.namespaceId);
  for (const group of groupsOf(store, entity)) {
    const namespace = namespaces.byId(group.namespaceId);
    if (namespace && within && reaches(namespace, within)) add(namespace.id, group.policies ?? []);
  }
  return new Map([...found].map(([id, names]) => [id, [...names]]));
}

function groupsOf(store: IdentityStore, { id }: Entity) {
  const { direct, inherited } = membershipsOf(store, id);
  return [...direct, ...inherited];
}

/**
 * Whether a group applies to a token: to those of its own namespace and of the namespaces below it.
 */
function reaches(group: Namespace, token: Namespace): boolean {
  return token.path.startsWith(group.path);
}
