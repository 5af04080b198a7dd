import { VaultError } from '../../../../client';
import { SWITCHOVER_POLICY } from '../../../../model';
import {
  joined,
  linesOf,
  or,
  phrase,
  type CureAction,
  type Message,
  type Phrase,
} from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { contentOf, MessageError } from '../../../messages';
import { serverErrorOf } from '../../../objects';
import { mayHaveTakenEffect } from '../../shared/member';
import {
  abandon,
  confirmLoss,
  emptyStorage,
  inWords,
  isAttached,
  list,
  quote,
  removeSecondary,
  setBack,
  setForce,
  takesToken,
  TOKEN_TTL,
  type Demote,
  type PrimaryFacts,
  type Promote,
  type Step,
  type Observation,
} from '../planner';
import type { ApplyMemory, Failure } from './memory';
import { APPLY_AGAIN, FIX_AND_GO_ON, PLAN_AGAIN } from './messages';
import { TimedOut } from './timed-out';

/**
 * Messages about applies that end before the set is as configured, with advice on how to continue.
 */

const THEN_GO_ON = phrase`Then ${APPLY_AGAIN}, which continues from here.`;

/** Returns the message about a step that succeeds several times without any effect. */
export function withoutEffect(title: string, step: Step, tries: number): Message {
  return {
    summary: `${title}: a step has no effect`,
    details: [
      `The step was:\n  - ${inWords(step)}`,
      `It was taken ${tries} times without an error, but the replication status of the clusters does not show its effect.`,
    ],
    cures: phrase`make sure that no other tool reverts it. Compare the replication status of the clusters
        (vault read sys/replication/performance/status) with the step, check their logs, and ${APPLY_AGAIN}.`,
  };
}

/**
 * Returns the message about a step that is needed and was not in the plan.
 *
 * @param isUnknown whether the plan could not show its steps.
 */
export function notPlanned(title: string, step: Step, isUnknown: boolean): Message {
  if (isUnknown) {
    return {
      summary: `${title}: the plan could not show a step that is needed`,
      details: `Needed now, but not in the plan, because some values were not known then:\n  - ${inWords(step)}`,
      cures: phrase`apply the resources that the values come from, if you have not done so yet. Then ${PLAN_AGAIN}, and review
          the steps.`,
    };
  }
  return {
    summary: `${title}: the clusters have changed since the plan was made`,
    details: `Needed now, but not in the plan:\n  - ${inWords(step)}`,
    cures: phrase`${PLAN_AGAIN}, and review the steps`,
  };
}

/**
 * Returns the message that a switchover failed, and that the former primary is the primary again.
 */
export function isBackAgain(title: string, step: Promote, because: Failure): Message {
  const { cluster, fallback } = step;
  return {
    summary: `${title}: ${quote(cluster)} could not take over, and ${quote(fallback!)} is the primary again`,
    details: `Nothing is lost: ${quote(fallback!)} has all writes, and its secondaries follow it as before.`,
    cures: phrase`${remedy(step, because)}. ${or('To cancel')} the switchover, ${setBack(fallback!)}.`,
  };
}

/**
 * Returns the cure for a failed promotion. Writers only have to pause if the successor did not
 * receive all data.
 */
function remedy({ cluster, fallback }: Promote, failure: Failure): Phrase {
  if (isDeadline(failure)) {
    return phrase`pause the writers, or wait until ${quote(cluster)} lags less, and ${APPLY_AGAIN}. ${or('If')} that fails although
      nothing is written, use force while the writers pause: ${setForce(cluster)}, and confirm the loss for
      ${quote(fallback!)} with ${confirmLoss(fallback!, fallback, 'confirm_data_loss')} (the merkle_root of ${quote(fallback!)} may change when it steps down, and
      then cannot be compared)`;
  }
  const [cure] =
    failure instanceof MessageError && serverErrorOf(failure) ? linesOf(failure.content.cures) : [];
  if (cure !== undefined) return phrase`${cure} Then ${APPLY_AGAIN}`;
  return phrase`correct what prevented the promotion of ${quote(cluster)} (the reason is below), and ${APPLY_AGAIN}`;
}

/**
 * Returns the message about clusters that do not answer and that the next step needs.
 *
 * @param missing the clusters that the step needs and that do not answer.
 */
export function unreachable(
  title: string,
  step: Step,
  missing: readonly string[],
  observation: Observation,
): Message {
  const isOne = missing.length === 1;
  return {
    summary: `${title}: ${list(missing)} cannot be reached, but ${isOne ? 'is' : 'are'} required`,
    details: [
      `Still to do:\n  - ${inWords(step)}`,
      ...missing.map((name) => `${name}: ${observation[name]?.unreachable}`),
    ],
    cures: phrase`${APPLY_AGAIN} once ${isOne ? 'it answers' : 'they answer'}. ${or('A cluster')} that is gone for good:
        ${ofEach(missing, abandon, 'add it to abandoned_clusters')}, and
        ${ofEach(missing, removeSecondary, 'remove it from secondaries')}; if it was the primary, also ${takeOver(step, missing, observation)}.`,
  };
}

/** Returns an action for each cluster, with one common text. */
function ofEach(
  names: readonly string[],
  action: (name: string, words: string) => CureAction,
  words: string,
): Phrase {
  return joined(names.map((name, at) => action(name, at === 0 ? words : '')));
}

function takeOver(step: Step, missing: readonly string[], observation: Observation): Phrase {
  const words = 'set force_promotion to the cluster that takes over';
  const isPrimary = missing.some((name) => observation[name]?.mode === 'primary');
  return isPrimary && step.kind === 'promote' ? setForce(step.cluster, words) : words;
}

export function stepFailed(title: string, step: Step, failure: Failure, observation: Observation): Message {
  const content: Message =
    failure instanceof DiagnosticError
      ? contentOf(failure)
      : {
          summary: `${title}: a step failed`,
          details: sentence(failure.message),
          ...(failure instanceof TimedOut && { cures: failure.cures }),
        };
  const { details, cures } = withCureOfMember(content, step, { failure, observation });
  const contact = contactOf(step, observation);
  const made = `The step was:\n  - ${inWords(step)}`;
  return { ...content, details: [...linesOf(details), made, ...contact], cures };
}

function withCureOfMember(
  content: Message,
  step: Step,
  { failure, observation }: { readonly failure: Failure; readonly observation: Observation },
): Message {
  const further = goingOn(content, failure);
  const [otherwise = FIX_AND_GO_ON] = linesOf(further.cures);
  const cures =
    step.kind === 'follow'
      ? cureOfNewMember(failure, step.cluster, { observation, otherwise })
      : content.cures === undefined
        ? cureOfJoin(step, observation)
        : undefined;
  return cures === undefined ? further : { ...content, cures };
}

/** Whether a failed demotion may have left the announcement of a successor on the primary. */
export function leavesAnnouncement(step: Step, { announcedOn }: ApplyMemory): step is Demote {
  return step.kind === 'demote' && announcedOn !== undefined;
}

/** Describes the progress of a failed step that has possibly changed a cluster. */
export function howFar(step: Step, failure: Failure, observation: Observation, memory: ApplyMemory): string {
  const { cluster } = step;
  const facts = observation[cluster];
  if (facts?.unreachable !== undefined) return `unknown, because ${cluster} does not answer`;
  if ('primary' in step && (VaultError.is(failure) || mayHaveTakenEffect(failure))) {
    const lacks = `${VaultError.is(failure) ? 'has not' : 'may not have'} received everything from ${step.primary} yet`;
    if (step.kind === 'join' && facts?.mode === 'secondary')
      return `${cluster} is erased and a secondary, but ${lacks}`;
    if (step.kind !== 'join') return `the request was sent to ${cluster}, but it ${lacks}`;
  }
  if (leavesAnnouncement(step, memory))
    return `the ACL policy ${quote(SWITCHOVER_POLICY)} on ${cluster} names ${step.successor} as the cluster that takes over`;
  if ('primary' in step) return `${step.primary} is prepared, ${cluster} is unchanged`;
  return VaultError.is(failure)
    ? `the request was sent to ${cluster}, which is in mode ${facts?.mode}`
    : `some of the changes to ${cluster} were made`;
}

/**
 * Advises to check the address at which a secondary contacts its primary: neither cluster reports
 * that it is wrong.
 */
function contactOf(step: Step, observation: Observation): readonly string[] {
  if (!takesToken(step)) return [];
  const facts = observation[step.primary];
  if (facts?.mode !== 'primary' || !facts.clusterAddr) return [];
  const [cluster, primary] = [quote(step.cluster), quote(step.primary)];
  // A new member accepts no other address before it has reached the primary. A member that already
  // has the data of the set can be given another address.
  const cure =
    step.kind === 'follow'
      ? `set primary_cluster_addr to the address of ${primary}, and apply again: ${cluster} is then given that address.`
      : `correct primary_cluster_addr. ${primary} uses another address once it becomes a primary again: if it has no other ` +
        'secondaries, disable replication on it first (vault write -f sys/replication/performance/primary/disable); ' +
        'otherwise a switchover does it.';
  return [
    `${cluster} contacts ${primary} at its primary_cluster_addr, ${quote(facts.clusterAddr)}: check that this address leads to ` +
      `${primary}. If not, ${cure}`,
  ];
}

/**
 * Adds the advice to apply again to the message about a failed call. Other messages have this
 * advice already.
 */
export function goingOn(content: Message, failure: Failure): Message {
  const [cure, ...others] = linesOf(content.cures);
  if (cure === undefined) return { ...content, cures: FIX_AND_GO_ON };
  return serverErrorOf(failure) ? { ...content, cures: [phrase`${cure} ${THEN_GO_ON}`, ...others] } : content;
}

/**
 * Returns the cure for a new member that has not reached its primary. Once its token has expired,
 * the primary may not accept it any more.
 */
function cureOfJoin(step: Step, observation: Observation): Phrase | undefined {
  if (step.kind !== 'join') return undefined;
  const [facts, primary] = [observation[step.cluster], observation[step.primary]];
  const isWaiting = facts?.mode === 'secondary' && facts.unreachable === undefined && !facts.connected;
  if (!isWaiting || primary?.mode !== 'primary' || isAttached(facts, primary)) return undefined;
  const [cluster, other] = [quote(step.cluster), quote(step.primary)];
  return phrase`within ${TOKEN_TTL / 60} minutes, make the cluster address of ${other} (port 8201 by default) reachable
    from ${cluster}, which then follows by itself, and ${APPLY_AGAIN}. After that its activation token has expired:
    ${other} may refuse ${cluster} for good, and nobody can log in to ${cluster} to give it another one. ${or('In that case')},
    ${emptyStorage(step.cluster)}.`;
}

/**
 * Returns the cure if a member refused a call and may never have reached its primary: nobody can
 * log in to such a member, even if its primary no longer exists.
 *
 * @param otherwise the cure for another member.
 */
export function cureOfNewMember(
  failure: Failure,
  cluster: string,
  { observation, otherwise }: { readonly observation: Observation; readonly otherwise: Phrase },
): Phrase | undefined {
  const facts = observation[cluster];
  if (!(failure instanceof DiagnosticError) || !serverErrorOf(failure)) return undefined;
  if (facts?.mode !== 'secondary' || facts.connected || facts.alone) return undefined;
  const name = Object.keys(observation).find((each) => observation[each]!.mode === 'primary');
  if (name !== undefined && isAttached(facts, observation[name] as PrimaryFacts)) return undefined;
  const primary = name === undefined ? 'its primary' : quote(name);
  return phrase`if ${quote(cluster)} joined as a new member, and has not reached ${primary} since, ${emptyStorage(cluster)}.
    ${or('Otherwise')} ${otherwise}`;
}

/** Whether a wait timed out, rather than a single call. */
export function isDeadline(failure: Failure): boolean {
  return VaultError.is(failure) && failure.code === 'timeout';
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}
