import { REPLICATION_SET } from '../../../model';
import { phrase } from '../../../model/messages';
import { DiagnosticError, isKnown, isWhollyKnown, UNKNOWN, type PlanContext } from '../../../plugin';
import type { Clusters } from '../../clusters';
import { MessageError, report } from '../../messages';
import { checkRights, factsForPlan } from './decide';
import { noteFiltersOfSet } from '../filters-of-sets';
import { noteMembers } from '../members-of-sets';
import { noteCreated, noteOutcome } from './kept-sets';
import { Memory } from './memory';
import {
  noticeDisconnected,
  noticeSteps,
  noticeUnreachable,
  refuseLockout,
  refuseSameServer,
  refuseUnconfigured,
  refuseUnshown,
} from './messages';
import {
  clustersIn,
  factsOf,
  inWords,
  isDangerous,
  knownMembers,
  possibleSteps,
  quote,
  refusalsOnTheWay,
  restOnUnreadMembers,
  stepsOf,
  planFor,
  type StepPlan,
  type Goal,
  type Observation,
} from './planner';
import { Performer } from './perform';
import { withPresentNames } from './present-names';
import type { SetConfig, SetState } from './schema';
import { idsOf } from './state';
import { goalOf, unconfirmed, type SetValues } from './wanted';

type Context = PlanContext<Clusters>;

/** The computed values of a plan whose steps are unknown. */
const OPEN: Pick<SetConfig, 'cluster_id' | 'cluster_ids' | 'members' | 'unlisted_secondaries' | 'steps'> = {
  cluster_id: UNKNOWN,
  cluster_ids: UNKNOWN,
  members: UNKNOWN,
  unlisted_secondaries: UNKNOWN,
  steps: UNKNOWN,
};

/**
 * Plans the steps from the present set to the wanted one, as texts. For clusters in the state, it
 * uses the facts of the latest refresh; others are read.
 */
export async function planSet(
  config: SetConfig,
  stored: SetState | null,
  plan: SetConfig,
  context: Context,
): Promise<SetConfig> {
  const id = isKnown(config.primary) ? config.primary : UNKNOWN;
  if (stored) noteOutcome(stored, 'staying', context);
  else if (isKnown(config.primary)) noteCreated(config.primary, context);
  const state = stored && (await underPresentNames(stored, plan, context));
  const planned = withIds(plan, config, state);
  const open: SetConfig = { ...planned, id, ...OPEN };
  const known = withKnownFilters(planned, state);
  const mayErase = state !== null || mayConfirm(config.secondaries);
  const { providerData: provider, diagnostics } = context;
  if (!isPlannable(known)) {
    if (mayErase) refuseUnshown(diagnostics);
    return { ...plan, id, ...OPEN };
  }
  const memory = new Memory(context.privateState);
  const goal = goalOf(known as SetValues, state, memory);
  const stepPlan = planFor(goal);
  checkNames(goal, provider);
  if (stepPlan.members.some((name) => !provider.isReady(name))) {
    if (mayErase) refuseUnshown(diagnostics);
    return open;
  }

  const { primary, secondaries } = goal.wanted;
  const ids = Object.entries(secondaries).map(([name, { id: each }]) => [name, each] as const);
  noteMembers(primary, clustersIn(goal.wanted), context);
  noteFiltersOfSet(primary, Object.fromEntries(ids), context);
  const clusterOf = (name: string) => provider.cluster(name, REPLICATION_SET.title, context);
  if (refuseSameServer(goal, clusterOf, diagnostics)) return open;
  const look = factsForPlan(stepPlan, unconfirmed(goal), memory.observed, ({ summary, detail }) =>
    diagnostics.warning(summary, detail),
  );
  const observation = await performerFor(context).run(look);
  noticeUnreachable(stepPlan.members, observation, diagnostics);
  noticeDisconnected(goal, observation, diagnostics);
  refuseLockout(goal, clusterOf, diagnostics);
  const refusals = refusalsOnTheWay(stepPlan, observation);
  const severity = isBeingDestroyed(state, goal, observation) ? 'warning' : 'error';
  for (const refusal of refusals) {
    const summary = phrase`${REPLICATION_SET.title}: ${refusal.summary}`;
    report(diagnostics, severity, { ...refusal, summary });
  }
  if (refusals.length > 0) return open;

  const steps = stepsOf(stepPlan, observation);
  refuseUnconfigured(steps, provider, diagnostics);
  if (!isPlannable(planned)) {
    if (mayErase && steps.some(isDangerous)) refuseUnshown(diagnostics);
    return open;
  }
  if (steps.some(({ kind }) => kind === 'demote' || kind === 'promote')) {
    await noticeMissingRights(stepPlan, observation, context);
  }
  const { switchover } = planned;
  noticeSteps({ goal, steps, observation, switchover, state, clusterOf, diagnostics });
  // The configuration and the clusters are unchanged, so the plan is unchanged as well.
  if (isKnown(planned.steps) && steps.length === 0) return planned;
  const facts = observation[goal.wanted.primary];
  const cluster_id = facts && 'clusterId' in facts ? facts.clusterId : UNKNOWN;
  return {
    ...open,
    cluster_id,
    cluster_ids: plannedIds(goal, state, observation),
    steps: restOnUnreadMembers(goal, observation, steps) ? UNKNOWN : steps.map(inWords),
  };
}

/**
 * Logs in to the clusters that become a primary, and warns if a login fails or its token lacks
 * rights. The apply refuses this before its first step, unless a resource that it applies before
 * the set has corrected it.
 */
async function noticeMissingRights(
  stepPlan: StepPlan,
  observation: Observation,
  context: Context,
): Promise<void> {
  const isLookedUp = (cluster: string) =>
    context.providerData.readySettings(cluster)?.checkRights !== 'apply_only';
  if (!Object.keys(observation).some(isLookedUp)) return;
  try {
    const rights = { ids: stepPlan.ids, observation };
    await performerFor(context).run(
      checkRights(REPLICATION_SET.title, possibleSteps(stepPlan, observation), rights),
    );
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    context.diagnostics.warning(error.summary, error.detail);
  }
}

/**
 * Whether a destroy of the set may have been interrupted: the set is not protected, and a member
 * has left. Terraform plans the configuration before it plans a destroy, and an error in the first
 * plan would prevent the destroy. So the plan reports no error, and its apply is refused before the
 * first step.
 */
function isBeingDestroyed(state: SetState | null, { known }: Goal, observation: Observation): boolean {
  if (!known || state?.deletion_protection !== false) return false;
  return knownMembers(known).some((name) => {
    const facts = factsOf(observation, name);
    return facts.mode === 'disabled' && facts.unreachable === undefined;
  });
}

/**
 * Returns the planned ids of the clusters. Terraform plans again before the apply, and refuses an
 * id that differs from the planned id. So all ids are unknown if one of them could not be read, and
 * known members keep the ids of the state.
 */
function plannedIds(
  { wanted }: Goal,
  state: SetState | null,
  observation: Observation,
): SetConfig['cluster_ids'] {
  const names = clustersIn(wanted);
  const present = Object.entries(state?.cluster_ids ?? {}).filter(([name]) => name in observation);
  const ids = { ...idsOf(observation), ...Object.fromEntries(present) };
  return names.some((name) => ids[name] === undefined) ? UNKNOWN : ids;
}

/**
 * Returns the state under the names in the configuration. Secondary ids are not compared, because
 * those of new secondaries are not known yet.
 */
async function underPresentNames(
  state: SetState,
  { primary, secondaries }: SetConfig,
  context: Context,
): Promise<SetState> {
  if (!isKnown(primary) || !isKnown(secondaries)) return state;
  return withPresentNames(state, clustersIn({ primary, secondaries }), context);
}

/** Whether all values that determine the steps are known. */
function isPlannable({ primary, secondaries, force_promotion, abandoned_clusters }: SetConfig): boolean {
  return isWhollyKnown([primary, secondaries, force_promotion, abandoned_clusters]);
}

/**
 * Whether the loss of data may be confirmed. Without a confirmation, only empty clusters can join.
 */
function mayConfirm(secondaries: SetConfig['secondaries']): boolean {
  if (!isKnown(secondaries)) return true;
  return Object.values(secondaries ?? {}).some(({ confirm_data_loss }) => confirm_data_loss !== null);
}

/** Returns the plan with the earlier filters in place of unknown ones. */
function withKnownFilters(plan: SetConfig, state: SetState | null): SetConfig {
  if (!isKnown(plan.secondaries) || plan.secondaries === null) return plan;
  const entries = Object.entries(plan.secondaries).map(([name, secondary]) => {
    const { paths_filter } = secondary;
    const before = state?.secondaries?.[name]?.paths_filter ?? null;
    return [name, isWhollyKnown(paths_filter) ? secondary : { ...secondary, paths_filter: before }] as const;
  });
  return { ...plan, secondaries: Object.fromEntries(entries) };
}

/**
 * Returns the plan with the ids of all secondaries. Without an id in the configuration, a secondary
 * keeps its present id, and the id of a new secondary is the name of its cluster.
 */
function withIds(plan: SetConfig, config: SetConfig, state: SetState | null): SetConfig {
  if (!isKnown(plan.secondaries) || plan.secondaries === null) return plan;
  const configured = isKnown(config.secondaries) ? config.secondaries : null;
  const entries = Object.entries(plan.secondaries).map(([name, secondary]) => {
    const given = configured?.[name]?.id ?? null;
    const id = given ?? state?.secondaries?.[name]?.id ?? name;
    return [name, { ...secondary, id }] as const;
  });
  return { ...plan, secondaries: Object.fromEntries(entries) };
}

function checkNames({ wanted }: Goal, { names }: Clusters): void {
  if (!isKnown(names)) return;
  const missing = clustersIn(wanted).find((name) => !names.includes(name));
  if (missing === undefined) return;
  throw new MessageError({
    path: missing === wanted.primary ? ['primary'] : ['secondaries', missing],
    summary: `${REPLICATION_SET.title}: cluster ${quote(missing)} is not configured`,
    received: quote(missing),
    allowed: [...names].sort().map(quote).join(', '),
    cures: `name one of these, or add ${quote(missing)} to clusters in the provider's configuration`,
  });
}

function performerFor(context: Context): Performer {
  return new Performer(context, { definition: REPLICATION_SET, title: REPLICATION_SET.title });
}
