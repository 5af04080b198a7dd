/**
 * Divides the real procedures of an apply into single requests, so that a search can answer each.
 */
import type { ApplyMemory, ClusterRequest, Procedure } from '../../../src/provider/replication/set/decide';
import type { Observation } from '../../../src/provider/replication/set/planner';

/** The answer of a cluster, or the failure. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A point of an apply between two steps, with all values that determine the rest. */
export interface Between {
  readonly observation: Observation;
  readonly memory: ApplyMemory;
}

/** The progress of a procedure when its first requests have the given outcomes. */
export type Progress<T> = {
  /** The observations that were stored in the state. */
  readonly reached: readonly Observation[];
  /** The last point between two steps, and the number of outcomes before it. */
  readonly between: (Between & { readonly used: number }) | undefined;
} & (
  | { readonly kind: 'asks'; readonly request: ClusterRequest }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: Error }
);

class Asks extends Error {
  constructor(readonly request: ClusterRequest) {
    super(`asks ${request.kind}`);
  }
}

/**
 * Runs a procedure with the outcomes of its first requests. Requests that may be made at the same
 * time are made one after the other.
 */
export function replay<T>(procedure: Procedure<T>, outcomes: readonly Outcome[]): Progress<T> {
  const reached: Observation[] = [];
  let between: (Between & { used: number }) | undefined;
  let used = 0;

  function run<R>(part: Procedure<R>): R {
    let next = part.next();
    while (next.done !== true) {
      const outcome = answer(next.value);
      next = 'error' in outcome ? part.throw(outcome.error) : part.next(outcome.value);
    }
    return next.value;
  }

  function answer(request: RequestOf): Outcome {
    switch (request.kind) {
      case 'all':
        return together(request.procedures);
      case 'stopped':
        return { value: false };
      case 'log':
        return { value: undefined };
      case 'reached':
        reached.push(request.observation);
        return { value: undefined };
      case 'between_steps':
        between = { observation: request.observation, memory: copied(request.memory), used };
        return { value: undefined };
      case 'describe':
        return { value: '' };
      default: {
        const outcome = outcomes[used];
        if (outcome === undefined) throw new Asks(request);
        used += 1;
        return outcome;
      }
    }
  }

  function together(procedures: readonly Procedure<unknown>[]): Outcome {
    const results: unknown[] = [];
    const failures: unknown[] = [];
    for (const each of procedures) {
      try {
        results.push(run(each));
      } catch (error) {
        if (error instanceof Asks) throw error;
        failures.push(error);
      }
    }
    return failures.length > 0 ? { error: failures[0] } : { value: results };
  }

  try {
    const value = run(procedure);
    return { kind: 'done', value, reached, between };
  } catch (error) {
    if (error instanceof Asks) return { kind: 'asks', request: error.request, reached, between };
    return { kind: 'failed', error: error as Error, reached, between };
  }
}

type RequestOf = Procedure<unknown> extends Generator<infer R, unknown, unknown> ? R : never;

/** Copies a memory. Failures and steps are not copied, because they never change. */
export function copied(memory: ApplyMemory): ApplyMemory {
  return {
    ...memory,
    tries: { ...memory.tries },
    gone: new Set(memory.gone),
    waitedFor: new Set(memory.waitedFor),
    unsettled: new Map(memory.unsettled),
    steppedDown: new Map(memory.steppedDown),
    followers: new Map(memory.followers),
    promoted: new Set(memory.promoted),
    issued: new Set(memory.issued),
    delivered: new Set(memory.delivered),
    ownIds: new Set(memory.ownIds),
    postponed: new Map(memory.postponed),
    report: [...memory.report],
  };
}
