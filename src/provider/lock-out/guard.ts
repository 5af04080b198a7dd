import { report } from '../messages';
import type { SentinelPolicy } from '../../enforcement';
import {
  ACL_POLICY,
  EGP_POLICY,
  ENFORCEMENT_LEVELS,
  isWideEgpPath,
  namespacePrefix,
  policyText,
  RGP_POLICY,
} from '../../model';
import { isThisMachine } from '../../model/clusters';
import { isKnown, isWhollyKnown, type PlanContext, type Resource } from '../../plugin';
import type { Clusters } from '../clusters';
import type { ClusterSettings } from '../configuration';
import { fieldsIn, perRun, textIn, type ObjectChange, type AttributeValues } from '../objects';
import { lookUpCaller, type CallerFacts } from './caller';

// Only types are imported here, so that the code that evaluates policies is loaded only for a plan
// with a policy to judge.
import type { compilePolicy, governs, judge, Vantage } from './judge';
import { lockOutNotKnown, locksTerraformOut, titleOf, type LockOut } from './messages';
import {
  namespaceOf,
  requestsOfCluster,
  requestsOfResource,
  type TerraformsRequest,
} from './terraforms-requests';

/** An EGP or RGP that is about to be written. */
interface PlannedPolicy {
  readonly policy: SentinelPolicy;
  readonly confirmed: string | null;
}

type Context = PlanContext<Clusters>;

/**
 * The planned changes on one cluster. Terraform plans resources in any order, so all policies and
 * requests are kept: each new policy is checked against the earlier requests, and each new request
 * against the earlier policies.
 */
class PlannedCluster {
  readonly policies: PlannedPolicy[] = [];
  /** The policies that were reported: one message stands for all requests that they refuse. */
  readonly reported = new Set<string>();
  /**
   * These are functions, because most plans contain no policy to judge and never need the requests.
   */
  readonly #requests: (() => readonly TerraformsRequest[])[];
  #caller: Promise<CallerFacts | undefined> | undefined;

  constructor(readonly settings: ClusterSettings) {
    this.#requests = [() => requestsOfCluster(settings)];
  }

  /** Adds a resource to the plan, and returns its requests. */
  add(name: string, plan: AttributeValues): () => readonly TerraformsRequest[] {
    let known: readonly TerraformsRequest[] | undefined;
    const requests = () => (known ??= requestsOfResource(this.settings, name, plan, dataOf(name, plan)));
    this.#requests.push(requests);
    return requests;
  }

  requests(): readonly TerraformsRequest[] {
    return this.#requests.flatMap((requests) => requests());
  }

  caller(title: string, context: Context): Promise<CallerFacts | undefined> {
    this.#caller ??= context.providerData
      .client({ cluster: this.settings.name, namespace: '' }, title, context)
      .then((client) => lookUpCaller(client, context.signal))
      .catch(() => undefined);
    return this.#caller;
  }
}

/** The plan of one configuration of the provider. */
class LockOutGuard {
  readonly #clusters = new Map<string, PlannedCluster>();

  /** Adds a planned resource, and reports policies that refuse requests of Terraform. */
  async plan(name: string, change: ObjectChange, context: Context): Promise<void> {
    const { plan } = change;
    for (const settings of clustersOf(plan, context.providerData)) {
      const cluster = this.#clusters.get(settings.name) ?? new PlannedCluster(settings);
      this.#clusters.set(settings.name, cluster);
      const requests = cluster.add(name, plan);
      const waiting = cluster.policies.map((policy) => ({ policy, asked: requests() }));
      const planned = plannedPolicy(name, change, settings);
      if (planned) cluster.policies.push(planned);
      const own = planned ? [{ policy: planned, asked: cluster.requests() }] : [];
      for (const { policy, asked } of [...waiting, ...own])
        await reportRefusals(policy, asked, cluster, context);
    }
  }
}

const lockOutGuardOf = perRun(() => new LockOutGuard());

async function reportRefusals(
  { policy, confirmed }: PlannedPolicy,
  requests: readonly TerraformsRequest[],
  cluster: PlannedCluster,
  context: Context,
): Promise<void> {
  const judges = loadJudge();
  const governed = requests.filter((request) => judges.governs(policy, request));
  if (governed.length === 0 || confirmed === policy.name) return;
  const caller = await cluster.caller(titleOf(policy), context);
  if (policy.kind === 'rgp' && !isHeldBy(caller, policy)) return;
  const vantage: Vantage = { caller, address: addressOf(cluster.settings), now: Date.now() };
  const refusals: LockOut[] = [];
  let unknown: string | undefined;
  for (const request of distinct(governed)) {
    const judgment = judges.judge(policy, request, vantage);
    if (judgment.kind === 'refused') refusals.push({ request, verdict: judgment.verdict });
    // The evaluation would take too long for each of the other requests as well.
    if (judgment.kind === 'refused' && judgment.isTooLong) break;
    if (judgment.kind === 'unknown') unknown ??= judgment.reads;
  }
  const { diagnostics } = context;
  if (refusals.length > 0) {
    const id = `${policy.kind} ${policy.namespace}${policy.name}`;
    if (cluster.reported.has(id)) return;
    cluster.reported.add(id);
    const severity = policy.kind === 'egp' && policy.level === 'hard-mandatory' ? 'error' : 'warning';
    report(diagnostics, severity, locksTerraformOut(policy, refusals, confirmed));
  } else if (unknown !== undefined && policy.paths?.some(isWideEgpPath)) {
    report(diagnostics, 'warning', lockOutNotKnown(policy, unknown));
  }
}

/** Whether Terraform's token, or its identity, has an RGP at present. */
function isHeldBy(caller: CallerFacts | undefined, { name, namespace }: SentinelPolicy): boolean {
  return (
    caller !== undefined &&
    namespacePrefix(caller.token.namespace.path) === namespace &&
    caller.policies.includes(name)
  );
}

/** The kinds of policies that are judged, with the fields that affect the decision. */
const JUDGED = new Map<string, { readonly kind: SentinelPolicy['kind']; readonly fields: readonly string[] }>(
  [
    [EGP_POLICY.name, { kind: 'egp', fields: Object.keys(EGP_POLICY.fields) }],
    [RGP_POLICY.name, { kind: 'rgp', fields: Object.keys(RGP_POLICY.fields) }],
  ],
);

/**
 * Returns a mandatory EGP or RGP that is new or changed, if its values are known. An unchanged
 * policy is left out, because it has allowed Terraform's requests so far.
 */
function plannedPolicy(
  resource: string,
  { plan, state }: ObjectChange,
  { options }: ClusterSettings,
): PlannedPolicy | undefined {
  const { kind, fields } = JUDGED.get(resource) ?? {};
  if (!kind || !fields?.every((field) => isWhollyKnown(plan[field]))) return undefined;
  const level = ENFORCEMENT_LEVELS.find((each) => each === plan.enforcement_level);
  if (level === undefined || level === 'advisory') return undefined;
  if (state && fields.every((field) => JSON.stringify(state[field]) === JSON.stringify(plan[field])))
    return undefined;
  const policy = loadJudge().compilePolicy({
    kind,
    name: textIn(plan, 'name') ?? '',
    namespace: namespaceOf(options, plan.namespace),
    level,
    ...(Array.isArray(plan.paths) && { paths: plan.paths.map(String) }),
    text: policyText(textIn(plan, 'policy') ?? ''),
  });
  return { policy, confirmed: textIn(plan, 'confirm_lock_out') };
}

/**
 * Returns the clusters of a resource: the one that it names, or for a replication set all clusters
 * of the provider.
 */
function clustersOf({ cluster }: AttributeValues, clusters: Clusters): readonly ClusterSettings[] {
  if (!isKnown(clusters.names) || !isKnown(cluster)) return [];
  const names = typeof cluster === 'string' ? [cluster] : clusters.names;
  return names.flatMap((name) => clusters.readySettings(name) ?? []);
}

/**
 * Returns the data of a policy's write, which contains all its fields. Other objects have secrets
 * and blocks, so the data of their writes is unknown here.
 */
function dataOf(name: string, plan: AttributeValues): Readonly<Record<string, unknown>> | undefined {
  const definition = [ACL_POLICY, RGP_POLICY, EGP_POLICY].find((each) => each.name === name);
  const data = definition && fieldsIn(definition, plan);
  return data && isWhollyKnown(data) ? data : undefined;
}

/**
 * Returns the address that a server on this machine sees. Other servers may see a different one.
 */
function addressOf({ options }: ClusterSettings): string | undefined {
  try {
    const { hostname } = new URL(String(options.address));
    if (!isThisMachine(hostname)) return undefined;
    return hostname === '[::1]' ? '::1' : '127.0.0.1';
  } catch {
    return undefined;
  }
}

function distinct(requests: readonly TerraformsRequest[]): readonly TerraformsRequest[] {
  return [
    ...new Map(requests.map((each) => [`${each.operation} ${each.namespace} ${each.path}`, each])).values(),
  ];
}

interface Judges {
  readonly compilePolicy: typeof compilePolicy;
  readonly governs: typeof governs;
  readonly judge: typeof judge;
}

function loadJudge(): Judges {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('./judge') as Judges;
}

/** Adds the guard to the plans of a resource: an EGP must not refuse Terraform's own requests. */
export function guarded(resource: Resource<Clusters>): Resource<Clusters> {
  return {
    ...resource,
    async modifyPlan(request, context) {
      const plan = (await resource.modifyPlan?.(request, context)) ?? request.plan;
      const { config, state } = request;
      await lockOutGuardOf(context.providerData).plan(resource.name, { plan, config, state }, context);
      return plan;
    },
  };
}
