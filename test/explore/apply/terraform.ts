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
  ending,
  inWords,
  refusalsOnTheWay,
  stepsOf,
  towards,
  type Course,
  type Refusal,
  type World,
} from '../../../src/provider/replication/set/planner';
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
import { copied, replay, type Between, type Outcome, type Progress } from './replay';

/** The state of Terraform, with the provider's private part. */
export interface Stored {
  readonly state: SetState | null;
  readonly observed: World;
  readonly leftIds: readonly string[];
  readonly confirmed: Confirmations;
}

export const NOTHING_STORED: Stored = { state: null, observed: {}, leftIds: [], confirmed: {} };

/** A run of Terraform that has not ended. */
export interface Run {
  /** The process, whose logins are its own. */
  readonly by: number;
  /** Identifies the run in announcements. */
  readonly id: string;
  /** The configuration; absent for a destroy. */
  readonly values?: SetValues;
  readonly phase: 'refresh' | 'plan' | 'apply';
  /** The state at the beginning of the phase, or at the last point between two steps. */
  readonly stored: Stored;
  readonly between?: Between;
  /** The answers since. */
  readonly outcomes: readonly Outcome[];
  readonly planned?: readonly string[];
  /** The state before the apply, and the clusters that the plan is for. */
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

export function begin(by: number, id: string, stored: Stored, values?: SetValues): Run {
  return { by, id, stored, phase: 'refresh', outcomes: [], ...(values && { values }) };
}

/** Continues a run up to its next request. */
export function next(run: Run): Next {
  switch (run.phase) {
    case 'refresh':
      return refresh(run);
    case 'plan':
      return plan(run);
    case 'apply':
      return apply(run);
  }
}

function refresh(run: Run): Next {
  const { stored } = run;
  const { state } = stored;
  if (state === null) return run.values ? plan({ ...run, phase: 'plan' }) : ended({ kind: 'clean', stored });
  const { members, watched, ids } = endingOf(stored);
  const look = observe([...members, ...watched], {
    ids,
    glanceAt: watched,
    before: stored.observed,
    rereadFilters: true,
    onUnreadable: () => undefined,
  });
  const progress = replay(look, run.outcomes);
  if (progress.kind === 'asks') return { kind: 'asks', run, request: progress.request };
  if (progress.kind === 'failed') return ended({ kind: 'failed', stored, error: progress.error });
  const world = progress.value;
  const seen = observedState(state, world);
  const leftIds = leftIdsAfter(knownFrom(state, stored), seen, world);
  return plan({
    ...run,
    phase: 'plan',
    outcomes: [],
    stored: { ...stored, state: seen, leftIds, observed: world },
  });
}

function plan(run: Run): Next {
  const { stored, values } = run;
  if (!values) return planned(run, endingOf(stored), stored.observed);
  const goal = goalOf(values, stored.state, stored);
  const course = towards(goal);
  const look = factsForPlan(course, unconfirmed(goal), stored.observed, () => undefined);
  const progress = replay(look, run.outcomes);
  if (progress.kind === 'asks') return { kind: 'asks', run, request: progress.request };
  if (progress.kind === 'failed') return ended({ kind: 'failed', stored, error: progress.error });
  return planned(run, course, progress.value);
}

function planned(run: Run, course: Course, world: World): Next {
  const { stored, values } = run;
  const refusals = refusalsOnTheWay(course, world);
  if (refusals.length > 0) return ended({ kind: 'refused', stored, refusals });
  const steps = stepsOf(course, world).map(inWords);
  const isSame = values && stored.state && sameValues(values, stored.state);
  if (steps.length === 0 && isSame) return ended({ kind: 'clean', stored });
  return apply({ ...run, phase: 'apply', outcomes: [], planned: steps, before: stored });
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

function apply(run: Run): Next {
  const { course, options } = applied(run);
  const procedure: Procedure<{ readonly world: World; readonly done: readonly string[] }> = run.between
    ? resumeSteps(course, options, copied(run.between.memory), run.between.world)
    : applySteps(course, options);
  const progress = replay(procedure, run.outcomes);
  const stored = progress.reached.reduce((before, world) => reached(run, before, world), run.stored);
  if (progress.kind === 'asks')
    return { kind: 'asks', request: progress.request, run: compacted(run, progress, stored) };
  if (progress.kind === 'failed') return ended({ kind: 'failed', stored, error: progress.error });
  if (!run.values) return ended({ kind: 'applied', stored: NOTHING_STORED });
  const { world, done } = progress.value;
  const state = { ...wantedState(run.values, world, done), steps: [] };
  return ended({ kind: 'applied', stored: remembered(run, run.before!, state, world) });
}

/** Forgets the answers from before the last point between two steps. */
function compacted<T>(run: Run, { between }: Progress<T>, stored: Stored): Run {
  if (between === undefined) return run;
  const { used, ...point } = between;
  return { ...run, stored, between: point, outcomes: run.outcomes.slice(used) };
}

function applied({ id, values, before, planned: steps }: Run): { course: Course; options: ApplyOptions } {
  const { state, observed } = before!;
  const common = { title: 'the set', apply: id, before: observed };
  if (!values) {
    const settings = settingsOf(state!, null);
    return {
      course: endingOf(before!),
      options: { ...common, settings, lookInto: [], expected: {}, planned: 'all', settle: [] },
    };
  }
  const goal = goalOf(values, state, before!);
  return {
    course: towards(goal),
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

/** The state that is stored after a step. A creation stores nothing before it has ended. */
function reached(run: Run, stored: Stored, world: World): Stored {
  const { values, before } = run;
  if (!values) return { ...stored, observed: world };
  if (before!.state === null) return stored;
  return remembered(run, before!, reachedState(before!.state, values, world), world);
}

function remembered({ values, before }: Run, given: Stored, state: SetState, world: World): Stored {
  const known = goalOf(values!, before!.state, before!).known;
  const watched = towards(goalOf(values!, before!.state, before!)).watched;
  const kept = watched.flatMap((name) =>
    given.observed[name] ? [[name, given.observed[name]] as const] : [],
  );
  return {
    state,
    leftIds: leftIdsAfter(known, state, world),
    observed: { ...Object.fromEntries(kept), ...world },
    confirmed: usedConfirmations(values!, given, world),
  };
}

function endingOf(stored: Stored): Course {
  return ending(knownFrom(stored.state!, stored), stored.state!.abandoned_clusters ?? []);
}

function ended(result: Result): Next {
  return { kind: 'ended', result };
}
