import type { AclPolicyFields, Named, PolicyCalls, VaultClient } from '../../client';
import { samePolicyText, type ObjectIdentity } from '../../model';
import { callsOn, StoredObject, subjectOf, type ListedKind, type RequestContext } from '../objects';

/** What tells one kind of policy from another. */
export interface PolicyKind extends ListedKind {
  calls(client: VaultClient): PolicyCalls<AclPolicyFields>;
  /** The name of the policy that every server has: it is written over, not created, and never deleted. */
  readonly permanent?: string;
}

/** One policy on its cluster. */
export function storedPolicy(
  kind: PolicyKind,
  identity: ObjectIdentity,
  context: RequestContext,
): StoredObject<Named<AclPolicyFields>, AclPolicyFields> {
  return new StoredObject(subjectOf(kind.definition, identity), context, (client) =>
    callsOn(kind.calls(client), identity.name),
  );
}

/** What is written of a policy: its fields but for the name. */
export type PolicyFields = AclPolicyFields & Readonly<Record<string, unknown>>;

/** The fields of a policy among other values. */
export function fieldsOf({ definition }: PolicyKind, values: AclPolicyFields): PolicyFields {
  const all = values as PolicyFields;
  const names = Object.keys(definition.fields).filter((name) => !definition.fields[name]?.identity);
  return Object.fromEntries(names.map((name) => [name, all[name]])) as PolicyFields;
}

/** Whether the server holds what was written: the document may have been in base64, the paths in another order. */
export function holds(stored: AclPolicyFields, written: PolicyFields): boolean {
  const held = stored as PolicyFields;
  return Object.entries(written).every(([name, value]) => {
    if (name === 'policy') return samePolicyText(written.policy, held.policy);
    return Array.isArray(value) ? sameSet(value, held[name] as readonly unknown[]) : value === held[name];
  });
}

function sameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return new Set([...a, ...b]).size === new Set(a).size && new Set(b).size === new Set(a).size;
}
