import { report, reportFinding } from '../messages';
import type { AclPolicyFields, Named, PolicyCalls, PolicyPath, VaultClient } from '../../client';
import { findAclPolicies, findEgpPolicies, findRgpPolicies } from '../../inventory';
import {
  ACL_POLICY,
  DEFAULT_POLICY,
  EGP_POLICY,
  RGP_POLICY,
  type ObjectDefinition,
  textForServer,
  validate,
} from '../../model';
import { definitions, isKnown, map, string, types, type DataSource, type PlanContext } from '../../plugin';
import { type Clusters, healthOf } from '../clusters';
import {
  callsOn,
  LIST_ATTRIBUTES,
  listDataSource,
  listDescription,
  listObjects,
  nameIn,
  identificationOf,
  resourceFields,
  storedDataSource,
  storedListResource,
  storedResource,
  textIn,
  titleIn,
  type ListedKind,
  type ObjectsOfProvider,
  type ResourceKind,
  type AttributeValues,
  type ObjectChange,
} from '../objects';
import type { reportDeletion, reportMeaning } from './meaning';
import { overwritesPermanent, permanentStays } from './messages';
import { reportUnknownSyntax, validateAclPolicy } from './unknown-syntax';
import { changeByNewPolicy } from '../../model/policies/plain-policy';
import { OLDEST_WITH_SENTINEL } from '../../model/sentinel/server-versions';

type PolicyKind = ListedKind & ResourceKind<Named<AclPolicyFields>, AclPolicyFields>;

function policyKind(
  definition: ObjectDefinition,
  plural: ListedKind['plural'],
  callsOf: (client: VaultClient) => PolicyCalls<AclPolicyFields>,
  upstreamType: string,
  own: Partial<PolicyKind>,
): PolicyKind {
  const calls: PolicyKind['calls'] = (client, { name }) => callsOn(callsOf(client), name);
  return {
    definition,
    plural,
    identification: identificationOf(definition),
    calls,
    list: (client, options) => callsOf(client).list(options),
    movedFrom: { [upstreamType]: (state) => sameNames(definition, state) },
    ...own,
  };
}

/**
 * Returns the attributes of a state of `hashicorp/vault`, which has the same names for the
 * arguments of policies.
 */
function sameNames({ fields }: ObjectDefinition, state: AttributeValues): AttributeValues {
  const names = ['namespace', ...Object.keys(fields)];
  return Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
}

/** ACL policies. The policy `default`, which every server has, is overwritten and never deleted. */
const ACL_KIND = policyKind(
  ACL_POLICY,
  { name: 'acl_policies', title: 'ACL policies' },
  ({ policies }) => policies.acl,
  'vault_policy',
  {
    validate: validateAclPolicy,
    isPermanent: ({ name }) => name === DEFAULT_POLICY,
    async plan(change, context) {
      const { state, plan } = change;
      const { diagnostics } = context;
      await reportUnknownSyntax(change, context);
      if (state === null && plan.name === DEFAULT_POLICY)
        report(diagnostics, 'warning', overwritesPermanent(titleIn(ACL_POLICY, plan)));
      if (!isNewAndPlain(change)) await loadMeaning().reportMeaning(change, context);
      return plan;
    },
    async planDestroy(state, context) {
      if (state.name === DEFAULT_POLICY)
        report(context.diagnostics, 'warning', permanentStays(titleIn(ACL_POLICY, state)));
      else await loadMeaning().reportDeletion(state, context);
    },
    async delete(policy, { name }, { diagnostics }) {
      if (name === DEFAULT_POLICY) report(diagnostics, 'warning', permanentStays(policy.subject.title));
      else await policy.delete();
    },
  },
);

/** Whether a policy is new, and there is nothing to report about what it allows. */
function isNewAndPlain({ state, plan }: ObjectChange): boolean {
  return state === null && changeByNewPolicy(textIn(plan, 'policy') ?? '') !== undefined;
}

interface Meaning {
  readonly reportDeletion: typeof reportDeletion;
  readonly reportMeaning: typeof reportMeaning;
}

function loadMeaning(): Meaning {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it for plain policies
  return require('./meaning') as Meaning;
}

/**
 * Returns the handlers of RGPs and EGPs, which are texts in Sentinel: servers have different
 * versions of it.
 */
function sentinelOnly(definition: ObjectDefinition): Partial<PolicyKind> {
  return {
    async plan(change, context) {
      await refuseNewerSentinel(definition, change, context);
      return change.plan;
    },
  };
}

const RGP_KIND = policyKind(
  RGP_POLICY,
  { name: 'rgp_policies', title: 'RGP policies' },
  ({ policies }) => policies.rgp,
  'vault_rgp_policy',
  sentinelOnly(RGP_POLICY),
);

const EGP_KIND = policyKind(
  EGP_POLICY,
  { name: 'egp_policies', title: 'EGP policies' },
  ({ policies }) => policies.egp,
  'vault_egp_policy',
  {
    ...sentinelOnly(EGP_POLICY),
    attributes: {
      ...resourceFields(EGP_POLICY),
      confirm_lock_out: string({
        optional: true,
        description:
          'The name of this policy: confirms that it may refuse requests that Terraform itself makes, such as logins and ' +
          'reads of policies. Without it, a hard-mandatory policy that does is an error.',
      }),
    },
  },
);

/**
 * Returns the data source of all EGPs. It contains the paths of each policy, so that one request
 * shows the policies of a path.
 */
function egpPoliciesDataSource(): DataSource<Clusters> {
  return definitions<Clusters>().dataSource({
    name: EGP_KIND.plural.name,
    schema: {
      description: listDescription(EGP_KIND),
      attributes: {
        ...LIST_ATTRIBUTES,
        paths: map(types.list(types.string), {
          computed: true,
          description: 'The paths of each policy by its name, sorted; of those whose paths the server lists.',
        }),
      },
    },

    async read({ config }, context) {
      const { data, values } = await listObjects(EGP_KIND, config, context, ({ policies }, options) =>
        policies.egp.list(options),
      );
      const paths = Object.entries(data.name_path_map).map(
        ([name, list]) => [name, list.map(pathText).sort()] as const,
      );
      return { ...values, paths: Object.fromEntries(paths) };
    },
  });
}

function pathText({ path, glob }: PolicyPath): string {
  return glob ? `${path}*` : path;
}

/** The provider's resources for policies: `/sys/policies`. */
export const POLICIES: ObjectsOfProvider = {
  resources: [ACL_KIND, RGP_KIND, EGP_KIND].map(storedResource),
  listResources: [
    storedListResource({ ...ACL_KIND, find: findAclPolicies }),
    storedListResource({ ...RGP_KIND, find: findRgpPolicies }),
    storedListResource({ ...EGP_KIND, find: findEgpPolicies }),
  ],
  dataSources: [
    storedDataSource(ACL_KIND),
    listDataSource(ACL_KIND, ({ policies }, options) => policies.acl.list(options)),
    storedDataSource(RGP_KIND),
    listDataSource(RGP_KIND, ({ policies }, options) => policies.rgp.list(options)),
    storedDataSource(EGP_KIND),
    egpPoliciesDataSource(),
  ],
};

/**
 * Refuses a new or changed policy that needs a later version of Sentinel than its server has. The
 * server's version is read only if the policy uses something that the oldest version lacks.
 */
async function refuseNewerSentinel(
  definition: ObjectDefinition,
  { plan, state }: Pick<ObjectChange, 'plan' | 'state'>,
  context: PlanContext<Clusters>,
): Promise<void> {
  const { name, policy, cluster } = plan;
  if (![name, policy, cluster].every(isKnown) || typeof cluster !== 'string') return;
  if (state?.policy === policy) return;
  const findings = (version: string) => validate(textForServer(definition, version), { policy });
  if (findings(OLDEST_WITH_SENTINEL).length === 0) return;
  const { version } = (await healthOf(cluster, titleIn(definition, plan), context)) ?? {};
  if (version === undefined) return;
  for (const finding of findings(version))
    reportFinding(context.diagnostics, definition, nameIn(definition, plan), finding, ['policy']);
}
