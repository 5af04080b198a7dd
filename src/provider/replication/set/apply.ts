import { randomUUID } from 'node:crypto';
import { REPLICATION_SET } from '../../../model';
import { isKnown, type ApplyContext } from '../../../plugin';
import type { Clusters } from '../../clusters';
import { applySteps } from './decide';
import { Memory, type Confirmations } from './memory';
import { Performer } from './perform';
import { clustersIn, isAttached, quote, planFor, type Observation } from './planner';
import type { SetPlan, SetSchema, SetState } from './schema';
import { withPresentNames } from './present-names';
import { reachedState, wantedState } from './state';
import { goalOf, leftIdsAfter, settingsOf, unconfirmed, type SetValues } from './wanted';

type Context = ApplyContext<Clusters, SetSchema>;

/**
 * Takes the steps to the planned set. A failed creation stores no state: the next creation
 * continues from the present state of the clusters, while Terraform would first destroy a tainted
 * set. A failed update stores the members as they are.
 */
export async function applySet(stored: SetState | null, plan: SetPlan, context: Context): Promise<SetState> {
  const values = plan as SetValues;
  const state = stored && (await withPresentNames(stored, clustersIn(values), context));
  const memory = new Memory(context.privateState);
  const goal = goalOf(values, state, memory);
  const stepPlan = planFor(goal);
  const given = memory.observed;
  // The facts of lost primaries are kept while these do not answer, so that the next plan still
  // waits for them.
  const watched = stepPlan.watched.flatMap((name) => (given[name] ? [[name, given[name]] as const] : []));
  const remember = (observation: Observation, after: SetState) => {
    memory.leftIds = leftIdsAfter(goal.known, after, observation);
    memory.observed = { ...Object.fromEntries(watched), ...observation };
    memory.confirmed = usedConfirmations(values, memory, observation);
  };
  const title = titleOf(values.primary);
  let last = state;
  const performer = new Performer(context, { definition: REPLICATION_SET, title }, (observation) => {
    if (last === null) return;
    last = reachedState(last, values, observation);
    context.keep(last);
    remember(observation, last);
  });
  const steps = applySteps(stepPlan, {
    title,
    apply: randomUUID(),
    settings: settingsOf(values, state),
    lookInto: unconfirmed(goal),
    before: memory.observed,
    // Even if the plan does not show all ids, it was made for the clusters that the latest refresh
    // read.
    expected: { ...state?.cluster_ids, ...(isKnown(plan.cluster_ids) && plan.cluster_ids) },
    planned: isKnown(plan.steps) ? (plan.steps ?? []) : 'unknown',
    settle: state === null ? Object.keys(goal.wanted.secondaries) : [],
  });
  const { observation, done } = await performer.run(steps);
  const reached = wantedState(values, observation, done);
  remember(observation, reached);
  return {
    ...reached,
    steps: isKnown(plan.steps) ? plan.steps : reached.steps,
    cluster_id: isKnown(plan.cluster_id) ? plan.cluster_id : reached.cluster_id,
    cluster_ids: isKnown(plan.cluster_ids) ? plan.cluster_ids : reached.cluster_ids,
  };
}

/** The name of a set in messages: `performance replication set "us"`. */
export function titleOf(primary: string): string {
  return `${REPLICATION_SET.title} ${quote(primary)}`;
}

/**
 * Returns the confirmations that are used up: those of the clusters that now follow the primary.
 * Confirmations from earlier applies stay used up as long as their cluster is in the set, even
 * while it is the primary.
 */
export function usedConfirmations(
  { primary, secondaries }: SetValues,
  { confirmed }: Pick<Memory, 'confirmed'>,
  observation: Observation,
): Confirmations {
  const present = observation[primary];
  const entries = clustersIn({ primary, secondaries }).map((name) => {
    const facts = observation[name];
    const given = secondaries?.[name]?.confirm_data_loss ?? null;
    const follows = facts?.mode === 'secondary' && present?.mode === 'primary' && isAttached(facts, present);
    const used = [...(confirmed[name] ?? []), ...(follows && given !== null ? [given] : [])];
    return [name, [...new Set(used)]] as const;
  });
  return Object.fromEntries(entries.filter(([, used]) => used.length > 0));
}
