/** Runs of Terraform on a set: refresh, plan and apply, by the provider's own procedures. */
import { usedConfirmations } from '../../../src/provider/replication/set/apply';
import {
  applySteps,
  factsForPlan,
  observe,
  resumeSteps,
  type ApplyOptions,
  type ClusterRequest,
  type Procedure,
} from '../../../src/provider/replication/set/decide';
import type { Confirmations } from '../../../src/provider/replication/set/memory';
import {
  planForDestroy,
  inWords,
  refusalsOnTheWay,
  restOnUnreadMembers,
  stepsOf,
  planFor,
  type Step,
  type StepPlan,
  type Refusal,
  type Observation,
} from '../../../src/provider/replication/set/planner';
import type { Message } from '../../../src/model/messages';
import { MessageError } from '../../../src/provider/messages';
import type { SetState } from '../../../src/provider/replication/set/schema';
import { observedState, reachedState, wantedState } from '../../../src/provider/replication/set/state';
import {
  goalOf,
  knownFrom,
  leftIdsAfter,
  settingsOf,
  unconfirmed,
  type SetValues,
} from '../../../src/provider/replication/set/wanted';
import { copied, requestsOf, type Between, type Outcome } from './replay';

/** The state of Terraform, with the provider's private part. */
export interface Stored {
  readonly state: SetState | null;
  readonly observed: Observation;
  readonly leftIds: readonly string[];
  readonly confirmed: Confirmations;
}

export const NOTHING_STORED: Stored = { state: null, observed: {}, leftIds: [], confirmed: {} };

/** A run of Terraform that has not ended. */
export interface Run {
  /** The number of the process. Logins belong to a process. */
  readonly by: number;
  /** The identity of the run in announcements. */
  readonly id: string;
  /** The configuration; absent for a destroy. */
  readonly values?: SetValues;
  readonly phase: 'refresh' | 'plan' | 'apply';
  /** The state at the beginning of the phase, or at the last point between two steps. */
  readonly stored: Stored;
  readonly between?: Between;
  /** The outcomes of the requests since then. */
  readonly outcomes: readonly Outcome[];
  /** Whether the steps were unknown in the plan, and Terraform plans again before it applies. */
  readonly again?: true;
  /** The texts of the planned steps, with which the apply compares its own. */
  readonly planned?: ApplyOptions['planned'];
  /** The planned steps, for the checks of properties. */
  readonly shown?: readonly Step[];
  /** The state before the apply, and the clusters of the plan. */
  readonly before?: Stored;
}

export type Result =
  | { readonly kind: 'clean' | 'applied'; readonly stored: Stored }
  | {
      readonly kind: 'refused';
      readonly stored: Stored;
      readonly refusals: readonly Refusal[];
    }
  | { readonly kind: 'failed'; readonly stored: Stored; readonly error: Error };

export type Next =
  | { readonly kind: 'asks'; readonly run: Run; readonly request: ClusterRequest }
  | { readonly kind: 'ended'; readonly result: Result };

/** Returns the messages at the end of a run. */
export function messagesOf(result: Result): readonly Message[] {
  if (result.kind === 'refused') return result.refusals;
  return result.kind === 'failed' && result.error instanceof MessageError ? [result.error.content] : [];
}

export function begin(by: number, id: string, stored: Stored, values?: SetValues): Run {
  return { by, id, stored, phase: 'refresh', outcomes: [], ...(values && { values }) };
}

/** Continues a run to its next request. */
export function next(run: Run): Next {
  const { done, value } = requestsIn(run).next();
  return done ? { kind: 'ended', result: value } : { kind: 'asks', ...value };
}

/** A request, and the run that waits for its outcome. */
interface Asked {
  readonly run: Run;
  readonly request: ClusterRequest;
}

/** The requests of a run, which receives their outcomes. */
export type Requests = Generator<Asked, Result, Outcome>;

/** Continues a run to its end. */
export function requestsIn(run: Run): Requests {
  switch (run.phase) {
    case 'refresh':
      return refresh(run);
    case 'plan':
      return plan(run);
    case 'apply':
      return apply(run);
  }
}

function* refresh(run: Run): Requests {
  const { stored } = run;
  const { state } = stored;
  if (state === null) return run.values ? yield* plan({ ...run, phase: 'plan' }) : { kind: 'clean', stored };
  const { members, watched, ids } = endingOf(stored);
  const look = observe([...members, ...watched], {
    ids,
    glanceAt: watched,
    before: stored.observed,
    rereadFilters: true,
    onUnreadable: () => undefined,
  });
  let observation: Observation;
  try {
    observation = yield* new Progress(run).through(look);
  } catch (error) {
    return { kind: 'failed', stored, error: error as Error };
  }
  const seen = observedState(state, observation);
  const leftIds = leftIdsAfter(knownFrom(state, stored), seen, observation);
  return yield* plan({
    ...run,
    phase: 'plan',
    outcomes: [],
    stored: { ...stored, state: seen, leftIds, observed: observation },
  });
}

function* plan(run: Run): Requests {
  const { stored, values } = run;
  if (!values) return yield* planned(run, endingOf(stored), stored.observed);
  const goal = goalOf(values, stored.state, stored);
  const stepPlan = planFor(goal);
  const look = factsForPlan(stepPlan, unconfirmed(goal), stored.observed, () => undefined);
  let observation: Observation;
  try {
    observation = yield* new Progress(run).through(look);
  } catch (error) {
    return { kind: 'failed', stored, error: error as Error };
  }
  return yield* planned(run, stepPlan, observation);
}

function* planned(run: Run, stepPlan: StepPlan, observation: Observation): Requests {
  const { stored, values } = run;
  const refusals = refusalsOnTheWay(stepPlan, observation);
  if (refusals.length > 0) return { kind: 'refused', stored, refusals };
  const shown = stepsOf(stepPlan, observation);
  const steps = shown.map(inWords);
  const isSame = values && stored.state && sameValues(values, stored.state);
  if (steps.length === 0 && isSame) return { kind: 'clean', stored };
  if (values && restOnUnreadMembers(goalOf(values, stored.state, stored), observation, shown)) {
    if (!run.again) return yield* plan({ ...run, again: true, outcomes: [] });
    return yield* apply({
      ...run,
      phase: 'apply',
      outcomes: [],
      planned: 'unknown',
      shown: [],
      before: stored,
    });
  }
  return yield* apply({ ...run, phase: 'apply', outcomes: [], planned: steps, shown, before: stored });
}

function sameValues(values: SetValues, state: SetState): boolean {
  const shown = ({ primary, secondaries }: Pick<SetValues, 'primary' | 'secondaries'>) =>
    JSON.stringify([
      primary,
      Object.entries(secondaries ?? {})
        .map(([name, { id, paths_filter }]) => [name, id ?? name, paths_filter])
        .sort(),
    ]);
  return shown(values) === shown(state);
}

function* apply(run: Run): Requests {
  const { stepPlan, options } = applied(run);
  const procedure = run.between
    ? resumeSteps(stepPlan, options, copied(run.between.memory), run.between.observation)
    : applySteps(stepPlan, options);
  const progress = new Progress(run);
  try {
    const { observation, done } = yield* progress.through(procedure);
    if (!run.values) return { kind: 'applied', stored: NOTHING_STORED };
    const state = { ...wantedState(run.values, observation, done), steps: [] };
    return { kind: 'applied', stored: remembered(run, run.before!, state, observation) };
  } catch (error) {
    return { kind: 'failed', stored: progress.stored, error: error as Error };
  }
}

/** The progress of a run through the procedure of its phase. */
class Progress {
  /** The state after the last step. */
  stored: Stored;
  /** The last point between two steps. */
  #between: Between | undefined;
  /** The outcomes since that point, or since the beginning. */
  #outcomes: readonly Outcome[] = [];
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
    this.stored = run.stored;
  }

  /** Yields the requests of the procedure whose outcomes the run does not have yet. */
  *through<T>(procedure: Procedure<T>): Generator<Asked, T, Outcome> {
    const requests = requestsOf(procedure, {
      reached: (observation) => (this.stored = reached(this.#run, this.stored, observation)),
      between: (point) => {
        this.#between = point;
        this.#outcomes = [];
      },
    });
    const given = [...this.#run.outcomes];
    let next = requests.next();
    while (next.done !== true) {
      const outcome = given.shift() ?? (yield { run: this.#asking(), request: next.value });
      this.#outcomes = [...this.#outcomes, outcome];
      next = requests.next(outcome);
    }
    return next.value;
  }

  /** Returns the run without the outcomes from before the last point between two steps. */
  #asking(): Run {
    const outcomes = this.#outcomes;
    if (this.#between === undefined) return { ...this.#run, outcomes };
    return { ...this.#run, stored: this.stored, between: this.#between, outcomes };
  }
}

function applied({ id, values, before, planned: steps }: Run): { stepPlan: StepPlan; options: ApplyOptions } {
  const { state, observed } = before!;
  const common = { title: 'the set', apply: id, before: observed };
  if (!values) {
    const settings = settingsOf(state!, null);
    return {
      stepPlan: endingOf(before!),
      options: { ...common, settings, lookInto: [], expected: {}, planned: 'all', settle: [] },
    };
  }
  const goal = goalOf(values, state, before!);
  return {
    stepPlan: planFor(goal),
    options: {
      ...common,
      settings: settingsOf(values, state),
      lookInto: unconfirmed(goal),
      expected: { ...state?.cluster_ids },
      planned: steps!,
      settle: state === null ? Object.keys(goal.wanted.secondaries) : [],
    },
  };
}

/**
 * Returns the state that is stored after a step. A creation stores no state before it has ended.
 */
function reached(run: Run, stored: Stored, observation: Observation): Stored {
  const { values, before } = run;
  if (!values) return { ...stored, observed: observation };
  if (stored.state === null) return stored;
  return remembered(run, before!, reachedState(stored.state, values, observation), observation);
}

function remembered(
  { values, before }: Run,
  given: Stored,
  state: SetState,
  observation: Observation,
): Stored {
  const known = goalOf(values!, before!.state, before!).known;
  const watched = planFor(goalOf(values!, before!.state, before!)).watched;
  const kept = watched.flatMap((name) =>
    given.observed[name] ? [[name, given.observed[name]] as const] : [],
  );
  return {
    state,
    leftIds: leftIdsAfter(known, state, observation),
    observed: { ...Object.fromEntries(kept), ...observation },
    confirmed: usedConfirmations(values!, given, observation),
  };
}

function endingOf(stored: Stored): StepPlan {
  return planForDestroy(knownFrom(stored.state!, stored), stored.state!.abandoned_clusters ?? []);
}
