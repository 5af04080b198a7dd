import type { AclPolicyFields, EgpPolicyFields, PolicyCalls, VaultClient } from '../../../client';
import { findAclPolicies, findEgpPolicies, findRgpPolicies, type Find } from '../../../inventory';
import {
  ACL_POLICY,
  DEFAULT_POLICY,
  EGP_POLICY,
  isShippedDefaultPolicy,
  RGP_POLICY,
  SWITCHOVER_POLICY,
  TAKEOVER_POLICY,
  type ObjectDefinition,
} from '../../../model';
import { CodeExpression } from '../app/code';
import { memberName, pascalCase } from '../app/names';
import { HclExpression } from '../hcl/hcl';
import { adoptedKind, type AdoptedKind, type AdoptedObject } from './kind';

/** A kind of policy, whose documents are files of their own. */
interface PolicyKind {
  readonly definition: ObjectDefinition;
  readonly short: string;
  readonly document: string;
  readonly extension: string;
  readonly find: Find;
  readonly calls: (client: VaultClient) => PolicyCalls<AclPolicyFields>;
}

const POLICY_KINDS: readonly PolicyKind[] = [
  {
    definition: ACL_POLICY,
    short: 'acl',
    document: 'PolicyDocument',
    extension: 'hcl',
    find: findAclPolicies,
    calls: ({ policies }) => policies.acl,
  },
  {
    definition: RGP_POLICY,
    short: 'rgp',
    document: 'SentinelDocument',
    extension: 'sentinel',
    find: findRgpPolicies,
    calls: ({ policies }) => policies.rgp,
  },
  {
    definition: EGP_POLICY,
    short: 'egp',
    document: 'SentinelDocument',
    extension: 'sentinel',
    find: findEgpPolicies,
    calls: ({ policies }) => policies.egp,
  },
];

interface FoundPolicy extends AdoptedObject {
  /** The enforcement level and paths, if policies of this kind have them. */
  readonly fields: Pick<EgpPolicyFields, 'policy'> & Partial<EgpPolicyFields>;
}

/**
 * The policies that people have written. Their documents are files, byte for byte as the server
 * holds them.
 */
export const POLICIES: AdoptedKind = {
  title: 'policies',
  fromPrimary: true,
  async find(places, options) {
    const kinds = await Promise.all(POLICY_KINDS.map((kind) => policyKind(kind).find(places, options)));
    return (naming) => kinds.flatMap((partsOf) => partsOf(naming));
  },
};

function policyKind({ definition, short, document, extension, find, calls }: PolicyKind): AdoptedKind {
  const title = `${short.toUpperCase()} policies`;
  return adoptedKind<FoundPolicy>({
    definition,
    title,
    prefix: short,
    construct: pascalCase(definition.name),
    fromPrimary: true,

    async read(place, { defaultPolicy }) {
      const { cluster, namespace, client } = place;
      const policies = await place.readAll(title, definition, find, ({ name }) => calls(client).read(name));
      return policies
        .map(({ name, ...fields }) => ({ identity: { cluster, namespace, name }, fields }))
        .filter(
          (policy) => definition !== ACL_POLICY || !(isNote(policy) || (!defaultPolicy && isShipped(policy))),
        );
    },

    declare({ identity: { name }, fields: { policy, enforcement_level: level, paths } }, { id, stack }) {
      const inStack = `policies/${id}.${extension}`;
      const file = `${stack}/${inStack}`;
      return {
        props: {
          policyName: name,
          enforcementLevel:
            level === undefined ? undefined : CodeExpression.member('EnforcementLevel', memberName(level)),
          paths,
          document: CodeExpression.call(document, 'fromFile', file),
        },
        arguments: { policy: new HclExpression(`file("\${path.module}/${inStack}")`) },
        files: { [file]: policy },
      };
    },
  });
}

/**
 * Whether an ACL policy was written by a replication set to announce its next or its new primary.
 */
function isNote({ identity: { name } }: FoundPolicy): boolean {
  return [SWITCHOVER_POLICY, TAKEOVER_POLICY].includes(name);
}

/** Whether an ACL policy is the policy `default` as servers ship it. */
function isShipped({ identity: { name }, fields: { policy } }: FoundPolicy): boolean {
  return name === DEFAULT_POLICY && isShippedDefaultPolicy(policy);
}
