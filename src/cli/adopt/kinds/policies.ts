import type { AclPolicyFields, EgpPolicyFields, PolicyCalls, VaultClient } from '../../../client';
import { findAclPolicies, findEgpPolicies, findRgpPolicies, type Find } from '../../../inventory';
import {
  ACL_POLICY,
  DEFAULT_POLICY,
  EGP_POLICY,
  formatImportId,
  isShippedDefaultPolicy,
  RGP_POLICY,
  SWITCHOVER_POLICY,
  TAKEOVER_POLICY,
  type ObjectDefinition,
  type ObjectIdentity,
} from '../../../model';
import { CodeExpression } from '../app/code';
import { resourceType, type Declaration, type Naming, type ResourceAddress } from '../app/declaration';
import { memberName, pascalCase, slug } from '../app/names';
import { fieldArguments, placeArguments } from '../hcl/arguments';
import { HclExpression } from '../hcl/hcl';
import type { AdoptedNamespace } from '../estate/adopted-namespace';
import { adoptedKind } from './kind';

/** A kind of policy, and how it is written down: its document is a file of its own. */
interface PolicyKind {
  readonly definition: ObjectDefinition;
  readonly short: string;
  readonly document: string;
  readonly extension: string;
  readonly find: Find;
  calls(client: VaultClient): PolicyCalls<AclPolicyFields>;
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

interface FoundPolicy {
  readonly kind: PolicyKind;
  readonly identity: ObjectIdentity;
  /** The enforcement level and paths, if policies of this kind have them. */
  readonly fields: Pick<EgpPolicyFields, 'policy'> & Partial<EgpPolicyFields>;
}

/**
 * The policies that people have written. Their documents are files, byte for byte as the server
 * holds them.
 */
export const POLICIES = adoptedKind<FoundPolicy>({
  title: 'policies',
  fromPrimary: true,

  async read(place, { defaultPolicy }) {
    const found = await Promise.all(POLICY_KINDS.map((kind) => readKind(kind, place)));
    return found.flat().filter((policy) => !isNote(policy) && (defaultPolicy || !isShipped(policy)));
  },

  declarable: ({ kind: { definition }, identity: { name }, fields }) => ({
    definition,
    values: { ...fields, name },
  }),

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

async function readKind(kind: PolicyKind, place: AdoptedNamespace): Promise<readonly FoundPolicy[]> {
  const { cluster, namespace, client } = place;
  const calls = kind.calls(client);
  const policies = await place.readAll(titleOf(kind), kind.definition, kind.find, ({ name }) =>
    calls.read(name),
  );
  return policies.map(({ name, ...fields }) => ({ kind, identity: { cluster, namespace, name }, fields }));
}

/** Whether it is a note of a replication set about its next or its new primary. */
function isNote({ kind, identity }: FoundPolicy): boolean {
  return (
    kind.definition === ACL_POLICY && [SWITCHOVER_POLICY, TAKEOVER_POLICY].includes(String(identity.name))
  );
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
  const { policy: text, ...settings } = fields;
  const { enforcement_level: level, paths } = settings;
  return {
    id,
    construct: pascalCase(definition.name),
    props: {
      cluster: CodeExpression.local('cluster'),
      namespace: namespace || undefined,
      policyName: name,
      enforcementLevel:
        level === undefined ? undefined : CodeExpression.member('EnforcementLevel', memberName(level)),
      paths,
      document: CodeExpression.call(document, 'fromFile', file),
    },
    arguments: {
      ...placeArguments(definition, identity),
      ...fieldArguments(definition.fields, settings),
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
    files: { [file]: text },
  };
}
