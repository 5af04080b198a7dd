import type { AclPolicyFields, PolicyCalls, VaultClient } from '../../client';
import { samePolicyText, type ObjectDefinition } from '../../model';

/** What tells one kind of policy from another. */
export interface PolicyKind {
  readonly definition: ObjectDefinition;
  /** The name of the list and how messages call it: `acl_policies`, `ACL policies`. */
  readonly plural: { readonly name: string; readonly title: string };
  calls(client: VaultClient): PolicyCalls<AclPolicyFields>;
  /** The name of the policy that every server has: it is written over, not created, and never deleted. */
  readonly permanent?: string;
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
export function holds(stored: PolicyFields, written: PolicyFields): boolean {
  return Object.entries(stored).every(([name, value]) => {
    if (name === 'policy') return samePolicyText(written.policy, stored.policy);
    return Array.isArray(value)
      ? sameSet(value, written[name] as readonly unknown[])
      : value === written[name];
  });
}

function sameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return new Set([...a, ...b]).size === new Set(a).size && new Set(b).size === new Set(a).size;
}
