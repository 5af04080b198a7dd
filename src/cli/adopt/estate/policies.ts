import type { AclPolicyFields, Named, PolicyCalls, VaultClient } from '../../../client';
import {
  ACL_POLICY,
  DEFAULT_POLICY,
  EGP_POLICY,
  IMMUTABLE_POLICIES,
  isShippedDefaultPolicy,
  objectTitle,
  RGP_POLICY,
  type ObjectDefinition,
} from '../../../model';
import type { FoundPolicy } from './found';
import type { Place } from './place';
import { isDeclarable } from './declarable';

interface PolicyKind {
  readonly definition: ObjectDefinition;
  readonly title: string;
  calls(client: VaultClient): PolicyCalls<AclPolicyFields>;
}

const KINDS: readonly PolicyKind[] = [
  { definition: ACL_POLICY, title: 'ACL policies', calls: ({ policies }) => policies.acl },
  { definition: RGP_POLICY, title: 'RGP policies', calls: ({ policies }) => policies.rgp },
  { definition: EGP_POLICY, title: 'EGP policies', calls: ({ policies }) => policies.egp },
];

/**
 * The policies of a namespace that people have written.
 *
 * @param withDefault whether the policy `default` is one of them also as servers ship it.
 */
export async function readPolicies(place: Place, withDefault: boolean): Promise<readonly FoundPolicy[]> {
  const found = await Promise.all(KINDS.map((kind) => readKind(kind, place)));
  return found
    .flat()
    .filter(({ definition, identity, fields }) => {
      const isDefault = definition === ACL_POLICY && identity.name === DEFAULT_POLICY;
      return withDefault || !isDefault || !isShippedDefaultPolicy(fields.policy);
    })
    .filter(({ definition, identity, fields }) =>
      isDeclarable(definition, { ...fields, name: identity.name }, place),
    );
}

async function readKind(kind: PolicyKind, place: Place): Promise<readonly FoundPolicy[]> {
  const { definition, title } = kind;
  const { cluster, namespace } = place;
  const calls = kind.calls(place.client);
  const list = await place.attempt(title, definition, () => calls.list());
  const names = (list?.data.keys ?? []).filter((name) => !IMMUTABLE_POLICIES.includes(name));
  const policies = await Promise.all(
    names.map((name) => place.attempt(objectTitle(definition, name), definition, () => calls.read(name))),
  );
  return policies.flatMap((policy) => {
    if (!policy) return [];
    const { name, ...fields } = policy.data as Named<FoundPolicy['fields']>;
    return [{ definition, identity: { cluster, namespace, name }, fields }];
  });
}
