import { TAKEOVER_POLICY, TAKEOVER_POLICY_PATH } from '../../../../model';
import { linesOf, or, phrase, remove, type Phrase } from '../../../../model/messages';
import { factsOf, type Observation } from './facts';
import type { Goal, WantedSecondary } from './goal';
import { betterSuccessor, isBehindForGood, lossByForce, positionOf, type Loss } from './losses';
import {
  addSecondary,
  confirmLoss,
  DEMOTE_PRIMARY,
  demotePrimary,
  emptyStorage,
  quote,
  removeSecondary,
  setPrimary,
  setPrimaryByForce,
} from './messages';
import { hasNeverConnected, hasSteppedDown, hasWritesOf, isUnattached, presentPrimary } from './relations';
import type { Refusal } from './step-plan';

interface Situation {
  readonly goal: Goal;
  readonly observation: Observation;
  readonly isRefused: (other: Goal) => boolean;
}

/**
 * Refuses to erase a cluster if confirm_data_loss does not name it. Each confirmation is valid
 * once.
 */
export function unconfirmedLosses({ wanted }: Goal, observation: Observation): readonly Refusal[] {
  return Object.entries(wanted.secondaries).flatMap(([name, { dataLoss }]) => {
    const facts = factsOf(observation, name);
    if (facts.mode !== 'disabled' || facts.unreachable !== undefined || dataLoss === 'confirmed') return [];
    const { holds, unseen } = facts;
    if (holds?.length === 0) return [];
    const why = unseen === undefined ? '.' : `: ${unseen.replace(/\.$/, '')}.`;
    const [verb, found, look] =
      holds === undefined
        ? [
            'may hold',
            `Its data could not be determined${why} A cluster whose data is not known counts as not empty.`,
            phrase`fix the cause, so that Terraform can look, and plan again. ${or('Or ')}`,
          ]
        : ['holds', `It holds: ${holds.join(', ')}.`, ''];
    return [
      {
        path: ['secondaries', name],
        summary: `${quote(name)} ${verb} data, which would be erased if it joins the replication set`,
        details: found,
        cures: phrase`${look}${confirm(name, dataLoss)}`,
      },
    ];
  });
}

/**
 * Refuses to make a cluster follow the primary if it may have writes that the primary lacks. This
 * concerns clusters that stepped down or do not follow the primary, because someone may have
 * promoted the primary by force.
 *
 * @param isRefused whether the apply of another goal would be refused
 */
export function unconfirmedRejoins(
  goal: Goal,
  observation: Observation,
  isRefused: (other: Goal) => boolean,
): readonly Refusal[] {
  const { wanted, known } = goal;
  const present = presentPrimary(goal, observation);
  const isProven = (name: string) =>
    present !== undefined && hasWritesOf(factsOf(observation, present), name);
  const mayHaveOwn = (name: string) =>
    hasSteppedDown(factsOf(observation, name)) || isLeftBehind(name, goal, observation);
  const follows = (name: string) => present !== undefined && mayHaveOwn(name) && !isProven(name);
  const isForced = (name: string) =>
    wanted.forced &&
    !isProven(name) &&
    (name === known?.primary || hasSteppedDown(factsOf(observation, name)));
  const losing = Object.entries(wanted.secondaries).filter(
    ([name, { dataLoss }]) => dataLoss !== 'confirmed' && (follows(name) || isForced(name)),
  );
  return [
    ...(follows(wanted.primary) ? [primaryWithOwnWrites(wanted.primary, present!, observation)] : []),
    ...losing.map(([name, { dataLoss }]) => rejoin(name, dataLoss, { goal, observation, isRefused })),
  ];
}

/**
 * Whether a secondary does not follow the present primary. This is not checked with a forced
 * promotion, because another check compares the secondaries with the successor.
 */
function isLeftBehind(name: string, goal: Goal, observation: Observation): boolean {
  const present = presentPrimary(goal, observation);
  const [facts, primary] = [factsOf(observation, name), factsOf(observation, present ?? '')];
  if (goal.wanted.forced || facts.unreachable !== undefined || primary.unreachable !== undefined)
    return false;
  return isUnattached(facts, primary);
}

function rejoin(
  name: string,
  dataLoss: WantedSecondary['dataLoss'],
  { goal, observation, isRefused }: Situation,
): Refusal {
  const { forced, primary } = goal.wanted;
  const successor = forced ? primary : presentPrimary(goal, observation)!;
  const isToTakeOver = forced && factsOf(observation, primary).mode !== 'primary';
  const reason = isToTakeOver
    ? `force_promotion lets ${quote(primary)} take over without them.`
    : `${doubtAbout(name, successor, observation)} Terraform cannot tell whether ${quote(successor)} had received all writes by then.`;
  const unread = unreadNote(name, successor, observation);
  if (unread !== undefined) {
    const cures = [...linesOf(unread.cures), phrase`${or('Or')} ${confirm(name, dataLoss)}`];
    return { path: ['secondaries', name], ...unread, cures };
  }
  const isSteppedDown = !forced && hasSteppedDown(factsOf(observation, name));
  const mayBeNew = hasNeverConnected(factsOf(observation, name), factsOf(observation, successor));
  const otherwise = mayBeNew
    ? [
        phrase`${or('Or')}, if ${quote(name)} joined as a new member, and nobody can log in to it: ${emptyStorage(name)}.`,
      ]
    : [];
  return {
    path: ['secondaries', name],
    summary: `${quote(name)} may have writes that ${quote(successor)} lacks, and would lose them by following it`,
    details: reason,
    cures:
      isToTakeOver && factsOf(observation, name).unreachable === undefined
        ? [...plannedSwitchover(confirm(name, dataLoss), { goal, observation, isRefused }), ...otherwise]
        : [confirm(name, dataLoss), ...otherwise, ...(isSteppedDown ? [keepRather(name, successor)] : [])],
  };
}

/**
 * Adds the cure to switch over without force, unless the plan or the promotion would be refused
 * without force.
 */
function plannedSwitchover(
  otherwise: Phrase,
  { goal, observation, isRefused }: Situation,
): readonly Phrase[] {
  const unforced = { ...goal, wanted: { ...goal.wanted, forced: false } };
  if (isBehindForGood(goal, observation) || isRefused(unforced)) return [otherwise];
  return [
    phrase`${remove('force_promotion')}: a planned switchover waits until the new primary has all writes.`,
    phrase`${or('Or')} ${otherwise}`,
  ];
}

/**
 * Advises how to keep the writes of the cluster that stepped down, and lose those of its successor.
 */
function keepRather(name: string, successor: string): Phrase {
  return phrase`${or('Or')}, to keep what ${quote(name)} has, and lose what ${quote(successor)} has accepted since:
    ${demotePrimary(successor, `demote ${quote(successor)} (${DEMOTE_PRIMARY})`)},
    ${setPrimaryByForce(name)}, list ${quote(successor)} in secondaries with
    ${confirmLoss(successor, `${successor} 2025-12-31`)}, and apply.`;
}

/**
 * Returns the refusal if the note of the successor cannot be read: this is no sign of a loss, so
 * the advice is to read it again.
 */
function unreadNote(
  name: string,
  successor: string,
  observation: Observation,
): Omit<Refusal, 'path'> | undefined {
  const facts = factsOf(observation, successor);
  if (facts.mode !== 'primary' || facts.noteUnread === undefined) return undefined;
  return {
    summary: `could not determine whether ${quote(successor)} has all writes of ${quote(name)}`,
    details: `The ACL policy ${quote(TAKEOVER_POLICY)} on ${quote(successor)}, which may show it, could not be read: ${facts.noteUnread}`,
    cures: `plan again once ${quote(successor)} serves it, with a token that may read ${TAKEOVER_POLICY_PATH}`,
  };
}

function doubtAbout(name: string, successor: string, observation: Observation): string {
  if (hasNeverConnected(factsOf(observation, name), factsOf(observation, successor)))
    return `It has an activation token of ${quote(successor)}, but has never connected to it.`;
  const how = 'outside of Terraform, by force, or in an apply that was interrupted.';
  return hasSteppedDown(factsOf(observation, name))
    ? `It was a primary of this set and stepped down, and ${quote(successor)} took over ${how}`
    : `It does not follow ${quote(successor)}, which became the primary ${how}`;
}

/** Refuses a loss of the primary's own writes, which no setting can confirm. */
function primaryWithOwnWrites(name: string, present: string, observation: Observation): Refusal {
  const unread = unreadNote(name, present, observation);
  if (unread !== undefined) return { path: ['primary'], ...unread };
  return {
    path: ['primary'],
    summary: `${quote(name)} may have writes that ${quote(present)} lacks, and would lose them by following it`,
    details:
      `${doubtAbout(name, present, observation)} Terraform cannot tell whether ${quote(present)} had received all writes by then. ` +
      `To become the primary, ${quote(name)} would have to follow it first.`,
    cures: phrase`save what only ${quote(name)} has. ${setPrimary(present, `Set primary to ${quote(present)}`)},
        ${addSecondary(name, `add ${quote(name)} to secondaries`)} with ${confirmLoss(name)}, and apply. Then set primary to ${quote(name)} and apply again.`,
  };
}

/** Refuses a forced promotion while another secondary may have more writes. */
export function lossesByForce(goal: Goal, observation: Observation): readonly Refusal[] {
  const { secondaries } = goal.wanted;
  const better = betterSuccessor(goal, observation);
  return Object.entries(secondaries).flatMap(([name, { dataLoss }]) => {
    const loss = dataLoss === 'confirmed' ? undefined : lossByForce(name, goal, observation);
    if (loss === undefined) return [];
    const rather =
      better === undefined ? '' : phrase`${setPrimaryByForce(better)}, which has the most data; ${or('or ')}`;
    const cures = [phrase`${rather}${confirm(name, dataLoss)}`];
    return [{ path: ['secondaries', name], ...describeLoss(loss, name, goal, observation), cures }];
  });
}

function describeLoss(
  loss: Loss,
  name: string,
  { wanted: { primary } }: Goal,
  observation: Observation,
): Pick<Refusal, 'summary' | 'details'> {
  switch (loss) {
    case 'filtered':
      return {
        summary: `${quote(name)} has data that ${quote(primary)} never received, and would lose it by following ${quote(primary)}`,
        details: `The paths filter of ${quote(primary)} excludes data that ${quote(name)} has. The whole set would lose it.`,
      };
    case 'behind':
      return {
        summary: `${quote(name)} has writes that ${quote(primary)} lacks, and would lose them by following it`,
        details:
          `Last write of the old primary that arrived: number ${positionOf(factsOf(observation, name))} on ${quote(name)}, ` +
          `number ${positionOf(factsOf(observation, primary))} on ${quote(primary)}.`,
      };
    case 'unclear': {
      const reason =
        factsOf(observation, name).unreachable ?? 'Their replication status does not show which has more.';
      return {
        summary: `${quote(name)} may have writes that ${quote(primary)} lacks, and would lose them by following it`,
        details: `The data of ${quote(name)} and ${quote(primary)} could not be compared. ${reason}`,
      };
    }
  }
}

function confirm(name: string, dataLoss: WantedSecondary['dataLoss']): Phrase {
  if (dataLoss === 'used') return phrase`save what you need. ${confirmAgain(name)}`;
  return phrase`save what you need and confirm the loss with ${confirmLoss(name)} in secondaries[${quote(name)}];
    ${or('or')} ${removeSecondary(name, 'remove it from the set')}.`;
}

/**
 * Advises how to confirm a loss again if a confirmation is used up: it does not cover data that the
 * cluster has received since.
 */
function confirmAgain(name: string): Phrase {
  return phrase`confirm_data_loss of ${quote(name)} was used up when the cluster joined or followed, and does not count again.
    If its data may be lost now, add something new to it, such as the date: ${confirmLoss(name, `${name} 2025-12-31`)}.`;
}
