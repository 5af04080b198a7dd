import { or, phrase, type Phrase } from '../../../../model/messages';
import type { StepPlan } from './step-plan';
import { factsOf, type Observation } from './facts';
import { membersOf, watchedBy, type Goal } from './goal';
import { clustersFor, promoteStep, secondaryStep } from './moves';
import { refusals } from './checks';
import { hasSteppedDown, isAnsweringPrimary, isSameSecondary, lastPrimary, primariesOf } from './relations';
import type { Step } from './steps';
import { list, quote, setBack, setForce, setPrimary } from './messages';

/**
 * The way back from a switchover that cannot be completed: the previous primary becomes the primary
 * again, which loses nothing, and its secondaries follow it with their previous ids and filters. No
 * cluster joins, leaves or steps down, so that the approval of the switchover includes the way
 * back.
 *
 * @returns `undefined` if the last primary cannot become the primary again, or if another cluster
 * has become it.
 */
export function back(goal: Goal, observation: Observation): StepPlan | undefined {
  if (lastPrimary(goal, observation) === undefined || primariesOf(goal, observation).length > 0)
    return undefined;
  const before = goalBefore(goal, observation);
  // The way back revokes no id.
  const own = new Set(Object.values(goal.known?.ids ?? {}));
  return {
    members: membersOf(goal),
    watched: watchedBy(goal),
    ids: Object.values(before.wanted.secondaries).map(({ id }) => id),
    comparesProgress: false,
    next: (present) => nextSteps(before, present),
    needs: (step) => clustersFor(step, goal),
    ownIds: () => [...own],
    refusals: (present, others = new Set()) => refusals(before, present, new Set([...own, ...others])),
    back: () => undefined,
    advice: (present) => adviceWithoutPrimary(goal, present) ?? whereItIs(goal, present),
  };
}

/**
 * Returns a goal with the previous set. It does not include clusters that have left the set in the
 * meantime, outside of this apply, nor two names that may be one cluster.
 */
function goalBefore({ wanted, known }: Goal, observation: Observation): Goal {
  const { primary, ids, filters } = known!;
  const isShared = (name: string) =>
    Object.keys(ids).some(
      (other) => other !== name && isSameSecondary(factsOf(observation, other), factsOf(observation, name)),
    );
  const secondaries = Object.entries(ids)
    .filter(([name]) => factsOf(observation, name).mode === 'secondary' && !isShared(name))
    .map(([name, id]) => [name, { id, filter: filters[name] ?? null, dataLoss: 'unconfirmed' }] as const);
  return {
    wanted: {
      primary,
      secondaries: Object.fromEntries(secondaries),
      forced: false,
      abandoned: wanted.abandoned,
    },
    known: known!,
  };
}

function nextSteps(before: Goal, observation: Observation): readonly Step[] {
  const { primary, secondaries } = before.wanted;
  if (factsOf(observation, primary).mode !== 'primary') return [promoteStep(before, observation)];
  return Object.entries(secondaries).flatMap(([name, secondary]) => {
    const step = secondaryStep(name, secondary, primary, observation);
    return step?.kind === 'follow' ? [step] : [];
  });
}

/**
 * Returns the sentence that the old primary is the primary again: a user has to know this whatever
 * fails later.
 */
function whereItIs({ wanted, known }: Goal, observation: Observation): string | undefined {
  if (factsOf(observation, known!.primary).mode !== 'primary') return undefined;
  return `${quote(known!.primary)} is the primary again and accepts writes: ${quote(wanted.primary)} could not take over.`;
}

/**
 * Returns the advice while no cluster is the primary: either make the last primary the primary
 * again, or use force. The former works even if the successor does not answer.
 */
export function adviceWithoutPrimary(goal: Goal, observation: Observation): Phrase | undefined {
  const { wanted, known } = goal;
  const hasPrimary = Object.values(observation).some(isAnsweringPrimary);
  if (!known || hasPrimary || factsOf(observation, known.primary).mode !== 'secondary') return undefined;
  const isSilent = Object.values(observation).some(({ unreachable }) => unreachable !== undefined);
  const noPrimary = `${isSilent ? 'No cluster that answers' : 'No cluster'} is the primary now: nothing can be written.`;
  const force = setForce(wanted.primary);
  if (known.primary !== wanted.primary) {
    // If the last primary has become a secondary without stepping down, it was restored from a
    // snapshot or has a token of another primary, and may lack writes as well.
    const wayBack = hasSteppedDown(factsOf(observation, known.primary))
      ? phrase` ${or('To restore')} one at once, ${setBack(known.primary)} and apply: it becomes the primary again, and nothing
          is lost.`
      : '';
    return phrase`${noPrimary}${wayBack} ${or('If')} the writes that ${quote(wanted.primary)} lacks may be lost, ${force}.`;
  }
  const rivals = wanted.forced ? [] : rivalsOf(goal, observation);
  if (rivals.length === 0) return undefined;
  // Only an apply can find out which of the two was the primary last, as it compares their data.
  const [rival] = rivals;
  const other =
    rivals.length > 1
      ? ''
      : phrase` ${or('To restore')} one, ${setPrimary(rival!)} and apply: it becomes the primary if it has all writes.`;
  return phrase`${noPrimary} ${list(rivals)} stepped down as the primary, too, and may have writes that
    ${quote(wanted.primary)} lacks.${other} ${or('If')} these may be lost, ${force}, and confirm the loss with confirm_data_loss.`;
}

/**
 * Returns the secondaries that were primaries and stepped down: they may have writes that the
 * wanted primary never receives.
 */
function rivalsOf({ wanted }: Goal, observation: Observation): readonly string[] {
  if (factsOf(observation, wanted.primary).unreachable !== undefined) return [];
  return Object.keys(wanted.secondaries).filter((name) => hasSteppedDown(factsOf(observation, name)));
}
