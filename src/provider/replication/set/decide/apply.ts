import { VaultError } from '../../../../client';
import { PERFORMANCE_PATH } from '../../../../model';
import { linesOf, phrase, type Message } from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { contentOf, MessageError, withoutAdvice, type LocatedMessage } from '../../../messages';
import { serverErrorOf } from '../../../objects';
import { mayHaveTakenEffect } from '../../shared/member';
import {
  after,
  hasSteppedDown,
  inWords,
  isAttached,
  isDangerous,
  isAnsweringPrimary,
  possibleSteps,
  quote,
  refusalsOnTheWay,
  stepsOf,
  takesToken,
  transitionBy,
  type ClusterFacts,
  type StepPlan,
  type Demote,
  type Promote,
  type Refusal,
  type Step,
  type Observation,
} from '../planner';
import { revokeUnused } from './admission';
import { afterFailure } from './after-failure';
import { endingError, reportDone, reportedSteps, reportFailure, reportPart } from './apply-report';
import {
  goingOn,
  howFar,
  isBackAgain,
  isDeadline,
  leavesAnnouncement,
  notPlanned,
  sentence,
  stepFailed,
  unreachable,
  withoutEffect,
} from './ending-messages';
import { mayPass } from './may-pass';
import { newMemory, type ApplyMemory, type Failure } from './memory';
import { APPLY_AGAIN, FIX_AND_GO_ON, PLAN_AGAIN } from './messages';
import { observe } from './observe';
import { all, ask, EFFECTS, local, warn, type Procedure, type RequestKind } from './requests';
import { checkRights } from './rights';
import type { SetSettings } from './settings';
import { deleteNotes, RivalError } from './switchover-note';
import { isImmediate } from './promotion';
import { takeStep } from './take-step';

/**
 * Milliseconds between two reads that look for the effect of a step, and between two attempts at a
 * server that is not ready yet.
 */
const PAUSE = 1_000;

/**
 * The most attempts at one step in one apply. It is unknown whether an interrupted step has taken
 * effect.
 */
const TRIES = 3;

export interface ApplyOptions {
  /** The name of the set in messages: `performance replication set "us"`. */
  readonly title: string;
  /** Identifies this apply in the announcement of a successor. */
  readonly apply: string;
  readonly settings: SetSettings;
  /** The clusters that are searched for existing data before they join. */
  readonly lookInto: readonly string[];
  /** The earlier facts of the clusters. */
  readonly before: Observation;
  /** The clusters that the plan was made for: their own ids, by their names. */
  readonly expected: Readonly<Record<string, string>>;
  /**
   * The texts of the planned steps; `unknown` if the plan could not show them; `all` if all steps
   * are approved.
   */
  readonly planned: readonly string[] | 'unknown' | 'all';
  /**
   * Secondaries that must have received all data at the end, even if they joined in an earlier
   * apply.
   */
  readonly settle: readonly string[];
}

interface Applied {
  /** The observation at the end. */
  readonly observation: Observation;
  /** The texts of the steps that were taken. */
  readonly done: readonly string[];
}

/**
 * Takes the steps of a plan one after the other. The clusters are read before each step. A step is
 * left out if an interrupted apply or another person has already taken it, and the apply ends if
 * the step must not be taken any more.
 *
 * @returns when no step is left.
 * @throws DiagnosticError with a report of the completed steps, and with advice.
 */
export function* applySteps(stepPlan: StepPlan, options: ApplyOptions): Procedure<Applied> {
  return yield* new Apply(stepPlan, options, newMemory(options.settle)).run();
}

/** Continues an apply from a point between two steps. */
export function* resumeSteps(
  stepPlan: StepPlan,
  options: ApplyOptions,
  memory: ApplyMemory,
  observation: Observation,
): Procedure<Applied> {
  return yield* new Apply(stepPlan, options, memory).goOn(observation);
}

class Apply {
  readonly #memory: ApplyMemory;
  readonly #options: ApplyOptions;
  readonly #forward: StepPlan;

  constructor(stepPlan: StepPlan, options: ApplyOptions, memory: ApplyMemory) {
    this.#options = options;
    this.#forward = stepPlan;
    this.#memory = memory;
  }

  /**
   * The plan that the apply follows now: the plan to the wanted set, or the plan back to the old
   * primary.
   */
  get #stepPlan(): StepPlan {
    const { turnedBack } = this.#memory;
    return (turnedBack && this.#forward.back(turnedBack.at)) ?? this.#forward;
  }

  *run(): Procedure<Applied> {
    const begin = yield* this.#look(this.#options.before, { identify: true });
    yield* this.#refuseOthers(begin);
    yield* this.#refuseUnshown(begin);
    return yield* this.goOn(begin);
  }

  *goOn(begin: Observation): Procedure<Applied> {
    const { postponed } = this.#memory;
    for (let observation = begin; ;) {
      yield* local({ kind: 'between_steps', observation, memory: this.#memory });
      yield* this.#refuse(observation);
      const next = this.#stepPlan.next(observation);
      const isReady = (each: Step) => this.#missingFor(each, observation).length === 0;
      const step = next.find((each) => !postponed.has(inWords(each)) && isReady(each));
      const [failed] = next.flatMap((each) => postponed.get(inWords(each)) ?? []);
      if (step) {
        observation = yield* this.#take(step, observation);
      } else if (failed) {
        throw yield* this.#failed(failed.step, failed.failure, observation);
      } else if (next[0]) {
        yield* this.#waitForSomebody(next[0], observation);
        observation = yield* this.#look(observation);
      } else {
        yield* this.#settle(observation);
        yield* this.#conclude(observation);
        const { turnedBack } = this.#memory;
        if (turnedBack !== undefined)
          throw yield* this.#endingError(
            isBackAgain(this.#options.title, turnedBack.from, turnedBack.because),
          );
        return { observation, done: reportedSteps(this.#memory) };
      }
    }
  }

  *#look(before: Observation, { identify = false } = {}): Procedure<Observation> {
    const { members, watched, ids, comparesProgress } = this.#stepPlan;
    const { lookInto } = this.#options;
    const connections = { promoted: this.#memory.promoted, issued: this.#memory.issued };
    const adjust = (observation: Observation) => this.#withFollowers(observation);
    const options = {
      ids,
      lookInto,
      before,
      identify,
      comparesProgress,
      copiesNote: true,
      glanceAt: watched,
      adjust,
      ...connections,
    };
    const present = watched.filter((name) => !this.#memory.gone.has(name));
    const seen = yield* this.#accounted(this.#patiently(() => observe([...members, ...present], options)));
    const observation = this.#withStepDowns(this.#withDemoted(seen));
    for (const name of present) if (observation[name]?.unreachable !== undefined) this.#memory.gone.add(name);
    const noted = Object.values(observation).some(
      (facts) => facts.mode === 'primary' && facts.hasWritesOf?.length,
    );
    this.#memory.hasNote ||= noted;
    return observation;
  }

  /** Reads the clusters, and repeats this if it is refused shortly after a change of mode. */
  *#patiently<R>(read: () => Procedure<R>): Procedure<R> {
    for (;;) {
      try {
        return yield* read();
      } catch (error) {
        if (!(error instanceof DiagnosticError) || !(yield* this.#isUnsettled(error))) throw error;
      }
    }
  }

  /**
   * Pauses if a failure may come from the latest change of mode. Servers return their status before
   * they accept all other calls.
   *
   * @returns whether to try again.
   */
  *#isUnsettled(failure: Failure): Procedure<boolean> {
    const { unsettledUntil } = this.#memory;
    if (unsettledUntil === undefined || !(mayPass(failure) || isRefusal(failure))) return false;
    return yield* ask({ kind: 'pause', milliseconds: PAUSE, ...unsettledUntil });
  }

  /**
   * Starts the time after a change of mode in which a refused call is tried again. After a
   * demotion, this time is not longer than the takeover timeout, because the set has no primary.
   */
  *#noteChange(step: Step): Procedure<void> {
    if (transitionBy(step) === undefined) return;
    const { modeChange, takeover } = this.#options.settings.limits;
    const { cluster } = step;
    const seconds = step.kind === 'demote' ? Math.min(takeover, modeChange) : modeChange;
    const until = yield* ask({ kind: 'deadline', cluster, seconds });
    this.#memory.unsettledUntil = { cluster, until };
  }

  /**
   * Waits until the effect of a step is visible, so that a step without an error is not repeated
   * too early.
   */
  *#untilSeen(step: Step, before: Observation): Procedure<Observation> {
    const { cluster } = step;
    const seconds = this.#options.settings.limits.modeChange;
    let observation = before;
    if (!this.#isNext(step, observation)) return observation;
    const until = yield* ask({ kind: 'deadline', cluster, seconds });
    while (
      this.#isNext(step, observation) &&
      (yield* ask({ kind: 'pause', cluster, milliseconds: PAUSE, until }))
    )
      observation = yield* this.#look(forgetting(step, observation));
    return observation;
  }

  /**
   * Corrects the facts of members that followed the primary earlier in this apply: they count as
   * its followers. Some servers report a secondary without a connection to its primary as if the
   * secondary had stepped down itself.
   */
  #withFollowers(observation: Observation): Observation {
    const primary = Object.values(observation).find(isAnsweringPrimary);
    const kept = Object.entries(observation).flatMap(([name, facts]) => {
      if (facts.mode !== 'secondary' || this.#memory.promoted.has(name) || this.#memory.steppedDown.has(name))
        return [];
      if (primary && isAttached(facts, primary)) this.#memory.followers.set(name, facts.secondaryId);
      const id = this.#memory.followers.get(name);
      const isSame = id !== undefined && ['', id].includes(facts.secondaryId);
      return isSame && hasSteppedDown(facts)
        ? [[name, { ...facts, secondaryId: id, alone: false }] as const]
        : [];
    });
    return { ...observation, ...Object.fromEntries(kept) };
  }

  /**
   * Notes the id of the demoted primary, once its status can be read: other clusters may still list
   * it under this id.
   */
  #withDemoted(observation: Observation): Observation {
    const { demoted, steppedDown } = this.#memory;
    const facts = demoted === undefined ? undefined : observation[demoted];
    if (facts?.mode !== 'secondary' || facts.unreachable !== undefined) return observation;
    steppedDown.set(demoted!, facts.secondaryId);
    this.#memory.demoted = undefined;
    return observation;
  }

  /**
   * Corrects the facts of clusters that stepped down in this apply: they follow no primary until
   * they get a token, whatever their status reports.
   */
  #withStepDowns(observation: Observation): Observation {
    const own = Object.entries(observation).flatMap(([name, facts]) =>
      facts.mode === 'secondary' &&
      this.#memory.steppedDown.get(name) === facts.secondaryId &&
      !facts.connected
        ? [[name, { ...facts, alone: true }] as const]
        : [],
    );
    return { ...observation, ...Object.fromEntries(own) };
  }

  /** Deletes the notes once all members follow the primary. No apply needs them any more. */
  *#conclude(observation: Observation): Procedure<void> {
    if (!this.#memory.hasNote) return;
    const primary = Object.keys(observation).find((name) => observation[name]!.mode === 'primary');
    const isOver = !Object.values(observation).some(hasSteppedDown);
    if (primary === undefined || !isOver) return;
    const present = this.#stepPlan.members.filter((name) => observation[name]!.unreachable === undefined);
    yield* deleteNotes(primary, this.#memory, present);
  }

  /**
   * Refuses an apply if the plan could not list the steps and one of them is dangerous, because
   * nobody has reviewed it. If the planner refuses the way to the goal, the apply is refused for
   * its reason.
   */
  *#refuseUnshown(observation: Observation): Procedure<void> {
    if (this.#options.planned !== 'unknown') return;
    const [refusal] = refusalsOnTheWay(this.#stepPlan, observation);
    if (refusal) throw yield* this.#refused(refusal);
    const step = stepsOf(this.#stepPlan, observation).find(isDangerous);
    if (step) throw yield* this.#notPlanned(step);
  }

  /** Refuses an apply if another cluster has replaced one of the plan's clusters at its address. */
  *#refuseOthers(observation: Observation): Procedure<void> {
    const { title, expected } = this.#options;
    const other = Object.keys(expected).find((name) => {
      const id = observation[name]?.unreachable === undefined ? observation[name]?.self?.id : undefined;
      return id !== undefined && id !== expected[name];
    });
    if (other === undefined) return;
    // Without the id in the stored facts, the next refresh reads the id again.
    yield* local({
      kind: 'reached',
      observation: { ...observation, [other]: withoutSelf(observation[other]!) },
    });
    throw yield* this.#endingError({
      summary: `${title}: ${quote(other)} is not the cluster that the plan was made for`,
      details: `The cluster at its address has the id ${quote(observation[other]!.self!.id)}; in the plan it was ${quote(expected[other]!)}.`,
      cures: phrase`correct the address of cluster ${quote(other)} in the provider's configuration. Or ${PLAN_AGAIN}, and review
          what happens to the cluster that is there now.`,
    });
  }

  *#refuse(observation: Observation): Procedure<void> {
    const { title } = this.#options;
    if (yield* local({ kind: 'stopped' })) {
      throw yield* this.#error(observation, {
        summary: `${title}: stopped`,
        cures: phrase`${APPLY_AGAIN}, which continues from here`,
      });
    }
    for (const id of this.#stepPlan.ownIds(observation)) this.#memory.ownIds.add(id);
    const [refusal] = this.#stepPlan.refusals(observation, this.#memory.ownIds);
    if (!refusal) return;
    // If the primary stepped down in this apply, it becomes the primary again, so that the set has
    // one.
    const { takeover, turnedBack } = this.#memory;
    const failure = new MessageError(refusal);
    if (
      takeover !== undefined &&
      turnedBack === undefined &&
      this.#hasWayBack(takeover, failure, observation)
    ) {
      return this.#turnBack(takeover, failure, observation);
    }
    throw yield* this.#refused(refusal);
  }

  /**
   * Takes one step.
   *
   * @returns the observation after the step, or after a failed attempt that may have taken effect
   * or may be repeated.
   */
  *#take(step: Step, before: Observation): Procedure<Observation> {
    if (!this.#isPlanned(step)) throw yield* this.#notPlanned(step);
    yield* this.#check(before);
    const words = inWords(step);
    const { tries } = this.#memory;
    const tried = (tries[words] ?? 0) + 1;
    if (tried > TRIES) throw yield* this.#error(before, withoutEffect(this.#options.title, step, TRIES));
    tries[words] = tried;

    const failure = yield* this.#attempt(step, before);
    if (failure === undefined) {
      reportDone(this.#memory, step);
      yield* this.#noteChange(step);
      const [takeover] = step.kind === 'demote' ? this.#stepPlan.next(after(step, before)) : [];
      if (takeover?.kind === 'promote') this.#memory.takeover = takeover;
    }
    if (failure === undefined && isImmediate(step, this.#options.settings))
      return this.#withoutLook(step, before);
    const isUnclear = failure !== undefined && (VaultError.is(failure) || mayHaveTakenEffect(failure));
    this.#memory.unclear = isUnclear ? step : undefined;
    const seen = yield* this.#look(forgetting(step, before));
    this.#memory.unclear = undefined;
    const observation = failure === undefined ? yield* this.#untilSeen(step, seen) : seen;
    yield* local({ kind: 'reached', observation });
    if (step.kind === 'promote') this.#memory.hasNote = true;
    if (failure === undefined) {
      if (step.kind === 'demote') return this.#noteStepDown(step, observation);
      if (step.kind === 'follow') this.#memory.steppedDown.delete(step.cluster);
      return observation;
    }
    const isNext = this.#isNext(step, observation);
    // Another apply may have changed the next step.
    const isDone = !isNext && isInEffect(step, observation);
    const isUnknown = isUnclear && observation[step.cluster]?.unreachable !== undefined;
    // Such a step ends with a wait for the data, which has to be made up if only the answer was
    // lost.
    const isSync = takesToken(step) || step.kind === 'redirect';
    if (isSync) this.#memory.unsettled.set(step.cluster, isDone ? step : undefined);
    if (isDone && !isSync) reportDone(this.#memory, step);
    else if (
      isDone ||
      isUnknown ||
      (isNext && (hasChanged(step, before, observation) || leavesAnnouncement(step, this.#memory)))
    )
      reportPart(this.#memory, step, howFar(step, failure, observation, this.#memory));
    if (isNext && (yield* this.#isUnsettled(failure))) {
      tries[words] = tried - 1;
      return observation;
    }
    const next = afterFailure({
      stopped: yield* local({ kind: 'stopped' }),
      isLastTry: tried >= TRIES,
      isDeadline: isDeadline(failure),
      isNext,
      mayPass: mayPass(failure),
      isOfSecondary: isOfSecondary(step, failure),
      hasWayBack: this.#hasWayBack(step, failure, observation),
    });
    if (next !== 'again') yield* revokeUnused(step, observation, this.#memory);
    if (next === 'postpone') this.#memory.postponed.set(words, { step, failure });
    if (next === 'turn back') this.#turnBack(step as Promote, failure, observation);
    if (next === 'fail') throw yield* this.#failed(step, failure, observation);
    return observation;
  }

  /**
   * Returns the expected facts after a demotion. They are not read, because the former primary does
   * not answer for some time.
   */
  #withoutLook(step: Demote, before: Observation): Observation {
    this.#memory.demoted = step.cluster;
    return this.#noteStepDown(step, after(step, before));
  }

  #noteStepDown({ cluster }: Demote, observation: Observation): Observation {
    const facts = observation[cluster];
    this.#memory.steppedDown.set(cluster, facts?.mode === 'secondary' ? facts.secondaryId : '');
    return this.#withStepDowns(observation);
  }

  /**
   * Whether the primary that has stepped down can become the primary again. It cannot if its
   * successor may have been promoted, because there would be two primaries.
   */
  #hasWayBack(step: Step, failure: Failure, observation: Observation): boolean {
    if (step.kind !== 'promote' || step.fallback === undefined || failure instanceof RivalError) return false;
    return !this.#memory.promoted.has(step.cluster) && this.#stepPlan.back(observation) !== undefined;
  }

  #turnBack(step: Promote, failure: Failure, observation: Observation): void {
    this.#memory.turnedBack = { from: step, because: failure, at: observation };
    const isShown = failure instanceof DiagnosticError;
    reportFailure(this.#memory, step, isShown ? withoutAdvice(failure) : failure.message);
  }

  /**
   * Checks once, before the first step, that the plan covers all steps, and that the tokens of all
   * clusters permit them. Otherwise the apply might stop between two steps.
   */
  *#check(observation: Observation): Procedure<void> {
    if (this.#memory.checked) return;
    this.#memory.checked = true;
    const unplanned = stepsOf(this.#stepPlan, observation).find((each) => !this.#isPlanned(each));
    if (unplanned) throw yield* this.#notPlanned(unplanned);
    const steps = possibleSteps(this.#stepPlan, observation);
    yield* this.#accounted(
      checkRights(this.#options.title, steps, { ids: this.#stepPlan.ids, observation }),
      observation,
    );
  }

  /**
   * Adds the completed steps to the error if clusters cannot be read.
   *
   * @param observation the latest known facts about the clusters.
   */
  *#accounted<R>(look: Procedure<R>, observation: Observation = {}): Procedure<R> {
    try {
      return yield* look;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const content = contentOf(error);
      throw yield* this.#error(observation, serverErrorOf(error) ? goingOn(content, error) : content, error);
    }
  }

  *#attempt(step: Step, observation: Observation): Procedure<Failure | undefined> {
    const { title, settings, apply } = this.#options;
    const { members, watched } = this.#stepPlan;
    const needed = this.#stepPlan.needs(step, observation);
    const context = { title, settings, apply, observation, memory: this.#memory, members, watched, needed };
    yield* local({ kind: 'log', level: 'info', text: inWords(step) });
    try {
      yield* this.#noteChanges(step, takeStep(step, context));
      return undefined;
    } catch (error) {
      if (!(error instanceof DiagnosticError) && !VaultError.is(error)) throw error;
      yield* warn(`${inWords(step)}: ${error.message}`);
      return error;
    }
  }

  /** Runs a step, and notes whether it has changed something or may still do so. */
  *#noteChanges<R>(step: Step, part: Procedure<R>): Procedure<R> {
    let next = part.next();
    while (next.done !== true) {
      const effect = next.value.kind in EFFECTS ? EFFECTS[next.value.kind as RequestKind] : 'read';
      let answer: { readonly value: unknown } | { readonly failure: unknown };
      try {
        answer = { value: yield next.value };
      } catch (failure) {
        answer = { failure };
      }
      const isChange = effect === 'change' || (effect === 'preparation' && 'failure' in answer);
      if (isChange && ('value' in answer || isWithoutAnswer(answer.failure))) this.#memory.sent = step;
      next = 'value' in answer ? part.next(answer.value) : part.throw(answer.failure);
    }
    return next.value;
  }

  /**
   * Waits for a cluster that a step needs and that does not answer: it may be restarting. An apply
   * waits for each cluster only once.
   */
  *#waitForSomebody(step: Step, observation: Observation): Procedure<void> {
    const timeout = this.#options.settings.limits.modeChange;
    const missing = this.#missingFor(step, observation);
    const silent = missing.find((name) => !this.#memory.waitedFor.has(name));
    if (silent === undefined)
      throw yield* this.#error(observation, unreachable(this.#options.title, step, missing, observation));
    this.#memory.waitedFor.add(silent);
    yield* ask({ kind: 'wait_for_answer', cluster: silent, timeout });
  }

  *#settle(observation: Observation): Procedure<void> {
    const names = [...this.#memory.unsettled].filter(
      ([name]) => observation[name]?.unreachable === undefined,
    );
    yield* all(names.map(([name, step]) => this.#settleOne(name, step, observation)));
  }

  *#settleOne(cluster: string, step: Step | undefined, observation: Observation): Procedure<void> {
    const { title, settings } = this.#options;
    try {
      yield* ask({ kind: 'wait_for_stream', cluster, timeout: settings.limits.sync });
      if (step) reportDone(this.#memory, step);
    } catch (error) {
      if (!VaultError.is(error)) throw error;
      throw yield* this.#error(observation, {
        summary: `${title}: ${quote(cluster)} does not follow its primary`,
        details: sentence(error.message),
        cures: [
          FIX_AND_GO_ON,
          `If the primary refuses its token, for example because another cluster was given its id, change the id of ${quote(cluster)} in ` +
            'secondaries: it then gets a new token.',
        ],
      });
    }
  }

  /** The clusters that a step needs and that do not answer. */
  #missingFor(step: Step, observation: Observation): readonly string[] {
    return this.#stepPlan
      .needs(step, observation)
      .filter((name) => observation[name]?.unreachable !== undefined);
  }

  /** Whether the step is still to be taken. It is not if the failure came after its effect. */
  #isNext(step: Step, observation: Observation): boolean {
    return this.#stepPlan.next(observation).some((each) => inWords(each) === inWords(step));
  }

  /**
   * Whether the plan covers a step: it lists the step, or a more dangerous one of the same kind. A
   * planned join covers a follow, which continues an interrupted join. A planned follow that may
   * lose writes covers a follow that loses none. The steps back to the old primary are covered by
   * the promotion, whose text names the cluster that becomes the primary again.
   */
  #isPlanned(step: Step): boolean {
    const { planned } = this.#options;
    if (this.#memory.turnedBack !== undefined) return true;
    // If the plan could not show its steps, nobody has approved a dangerous one.
    if (planned === 'unknown') return !isDangerous(step);
    // A step that changes no mode does not erase data or change the primary.
    if (transitionBy(step) === undefined || planned === 'all' || planned.includes(inWords(step))) return true;
    if (step.kind !== 'follow') return false;
    return [{ ...step, kind: 'join' } as const, { ...step, mayLose: true }].some((each) =>
      planned.includes(inWords(each)),
    );
  }

  #notPlanned(step: Step): Procedure<MessageError> {
    const { title, planned } = this.#options;
    return this.#endingError(notPlanned(title, step, planned === 'unknown'));
  }

  #refused(refusal: Refusal): Procedure<MessageError> {
    const summary = phrase`${this.#options.title}: ${refusal.summary}`;
    return this.#endingError({ ...refusal, summary });
  }

  #failed(step: Step, failure: Failure, observation: Observation): Procedure<MessageError> {
    return this.#error(observation, stepFailed(this.#options.title, step, failure, observation), failure);
  }

  #endingError(message: LocatedMessage, cause?: unknown): Procedure<MessageError> {
    return endingError(this.#memory, this.#stepPlan.members, message, { cause });
  }

  #error(observation: Observation, message: Message, cause?: unknown): Procedure<MessageError> {
    const advice = this.#stepPlan.advice(observation);
    const cures = [...linesOf(message.cures), ...(advice === undefined ? [] : [advice])];
    return this.#endingError({ ...message, cures }, cause);
  }
}

/** Whether a request may still take effect because no server has answered it. */
function isWithoutAnswer(failure: unknown): boolean {
  return mayHaveTakenEffect(failure) && serverErrorOf(failure)?.status === undefined;
}

/**
 * Whether a server refused a call as invalid, which servers also do while they change their mode.
 */
function isRefusal(failure: Failure): boolean {
  return serverErrorOf(failure)?.status === 400;
}

/**
 * Whether one secondary refuses a call that other secondaries may accept: the primary is not the
 * cause, and waiting does not help.
 */
function isOfSecondary(step: Step, failure: Failure): boolean {
  const isFollowing = takesToken(step) || step.kind === 'redirect';
  if (!isFollowing || !(failure instanceof DiagnosticError) || !VaultError.is(failure.cause)) return false;
  return failure.cause.path?.startsWith(`${PERFORMANCE_PATH}/secondary/`) === true;
}

/**
 * Whether the facts of a step's clusters have changed. A cluster that no longer answers counts as
 * changed.
 */
function hasChanged(step: Step, before: Observation, after: Observation): boolean {
  const names = 'primary' in step ? [step.cluster, step.primary] : [step.cluster];
  const picture = (observation: Observation) =>
    JSON.stringify(
      names.map((name) => ({ ...observation[name], self: null, progress: null, hasWritesOf: null })),
    );
  return picture(before) !== picture(after);
}

/** Whether a cluster is in the mode to which a step leads. */
function isInEffect(step: Step, observation: Observation): boolean {
  const transition = transitionBy(step);
  return transition === undefined || observation[step.cluster]?.mode === transition.to;
}

/** Removes the facts that a step may have changed, so that they are read again. */
function forgetting(step: Step, observation: Observation): Observation {
  const primary = 'primary' in step ? step.primary : step.cluster;
  const facts = observation[primary];
  if (step.kind === 'join')
    observation = { ...observation, [step.cluster]: withoutSelf(observation[step.cluster]!) };
  if (facts?.mode !== 'primary' || !('id' in step)) return observation;
  const filters = Object.fromEntries(Object.entries(facts.filters).filter(([id]) => id !== step.id));
  return { ...observation, [primary]: { ...facts, filters } };
}

/** Removes the own id of a cluster: an erased cluster may have a new id. */
function withoutSelf({ self: _before, ...facts }: ClusterFacts): ClusterFacts {
  return facts;
}
