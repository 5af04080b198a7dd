import type { AclPolicyFields, EgpPolicyFields, Named, PolicyCalls, VaultClient } from '../../../client';
import {
  ACL_POLICY,
  DEFAULT_POLICY,
  EGP_POLICY,
  formatImportId,
  IMMUTABLE_POLICIES,
  isShippedDefaultPolicy,
  objectTitle,
  RGP_POLICY,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../../model';
import { Expression } from '../app/code';
import { resourceType, type Declaration, type Naming, type ResourceAddress } from '../app/declaration';
import { memberName, pascalCase, slug } from '../app/names';
import { isDeclarable } from '../estate/declarable';
import { fieldArguments, placeArguments } from '../hcl/arguments';
import { HclExpression } from '../hcl/hcl';
import type { Place } from '../estate/place';
import { adoptedKind } from './kind';

/** A kind of policy, and how it is written down: its document is a file of its own. */
interface PolicyKind {
  readonly definition: ObjectDefinition;
  readonly short: string;
  readonly document: string;
  readonly extension: string;
  calls(client: VaultClient): PolicyCalls<AclPolicyFields>;
}

const POLICY_KINDS: readonly PolicyKind[] = [
  {
    definition: ACL_POLICY,
    short: 'acl',
    document: 'PolicyDocument',
    extension: 'hcl',
    calls: ({ policies }) => policies.acl,
  },
  {
    definition: RGP_POLICY,
    short: 'rgp',
    document: 'SentinelDocument',
    extension: 'sentinel',
    calls: ({ policies }) => policies.rgp,
  },
  {
    definition: EGP_POLICY,
    short: 'egp',
    document: 'SentinelDocument',
    extension: 'sentinel',
    calls: ({ policies }) => policies.egp,
  },
];

interface FoundPolicy {
  readonly kind: PolicyKind;
  readonly identity: ObjectIdentity;
  /** The enforcement level and paths, if policies of this kind have them. */
  readonly fields: Pick<EgpPolicyFields, 'policy'> & Partial<EgpPolicyFields>;
}

/** The policies that people have written. Their documents are files, byte for byte as the server holds them. */
export const POLICIES = adoptedKind<FoundPolicy>({
  title: 'policies',
  fromPrimary: true,

  async read(place, { defaultPolicy, isManaged }) {
    const found = await Promise.all(POLICY_KINDS.map((kind) => readKind(kind, place)));
    return found
      .flat()
      .filter((policy) => defaultPolicy || !isShipped(policy))
      .filter(
        (policy) =>
          isManaged(addressOf(policy)) ||
          isDeclarable(policy.kind.definition, { ...policy.fields, name: policy.identity.name }, place),
      );
  },

  addressOf,

  parts(found, naming) {
    return POLICY_KINDS.map((kind) => ({
      title: titleOf(kind),
      declarations: found.filter((policy) => policy.kind === kind).map((policy) => declare(policy, naming)),
    }));
  },
});

function titleOf({ short }: PolicyKind): string {
  return `${short.toUpperCase()} policies`;
}

async function readKind(kind: PolicyKind, place: Place): Promise<readonly FoundPolicy[]> {
  const { definition } = kind;
  const { cluster, namespace } = place;
  const calls = kind.calls(place.client);
  const list = await place.attempt(titleOf(kind), definition, () => calls.list());
  const names = (list?.data.keys ?? []).filter((name) => !IMMUTABLE_POLICIES.includes(name));
  const policies = await Promise.all(
    names.map((name) => place.attempt(objectTitle(definition, name), definition, () => calls.read(name))),
  );
  return policies.flatMap((policy) => {
    if (!policy) return [];
    const { name, ...fields } = policy.data as Named<FoundPolicy['fields']>;
    return [{ kind, identity: { cluster, namespace, name }, fields }];
  });
}

/** Whether it is the policy `default` as servers ship it. */
function isShipped({ kind, identity, fields }: FoundPolicy): boolean {
  return (
    kind.definition === ACL_POLICY &&
    identity.name === DEFAULT_POLICY &&
    isShippedDefaultPolicy(fields.policy)
  );
}

function addressOf({ kind, identity }: FoundPolicy): ResourceAddress {
  return { resource: resourceType(kind.definition), importId: formatImportId(identity) };
}

function declare(policy: FoundPolicy, { stack, ids }: Naming): Declaration {
  const { kind, identity, fields } = policy;
  const { definition, short, document, extension } = kind;
  const { namespace, name } = identity;
  const id = ids.take(slug(short, namespace, name));
  const inStack = `policies/${id}.${extension}`;
  const file = `${stack}/${inStack}`;
  const { enforcement_level: level, paths } = fields;
  return {
    id,
    construct: pascalCase(definition.name),
    props: {
      cluster: Expression.local('cluster'),
      namespace: namespace || undefined,
      policyName: name,
      enforcementLevel:
        level === undefined ? undefined : Expression.member('EnforcementLevel', memberName(level)),
      paths,
      document: Expression.call(document, 'fromFile', file),
    },
    arguments: {
      ...placeArguments(definition, identity),
      ...fieldArguments(definition.fields, { ...fields }),
      policy: new HclExpression(`file("\${path.module}/${inStack}")`),
    },
    ...addressOf(policy),
    write: {
      cluster: identity.cluster,
      namespace,
      path: `${definition.path}/${name}`,
      body: { ...fields },
      secrets: [],
    },
    files: { [file]: fields.policy },
  };
}
