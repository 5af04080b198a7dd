/**
 * Divides the real procedures of an apply into single requests, so that a search can answer each.
 */
import type {
  ApplyMemory,
  ClusterRequest,
  Procedure,
  Request,
} from '../../../src/provider/replication/set/decide';
import type { Observation } from '../../../src/provider/replication/set/planner';

/** The answer of a cluster, or the failure. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A point of an apply between two steps, with all values that determine the rest. */
export interface Between {
  readonly observation: Observation;
  readonly memory: ApplyMemory;
}

/** The reports of a procedure between its requests. */
export interface Reports {
  /** An observation that is stored in the state. */
  reached(observation: Observation): void;
  between(point: Between): void;
}

/**
 * Yields the single requests of a procedure, and receives their outcomes. Requests that may be made
 * at the same time are made one after the other.
 */
export function* requestsOf<T>(
  procedure: Procedure<T>,
  reports: Reports,
): Generator<ClusterRequest, T, Outcome> {
  let next = procedure.next();
  while (next.done !== true) {
    const outcome = yield* outcomeOf(next.value, reports);
    next = 'error' in outcome ? procedure.throw(outcome.error) : procedure.next(outcome.value);
  }
  return next.value;
}

function* outcomeOf(request: Request, reports: Reports): Generator<ClusterRequest, Outcome, Outcome> {
  switch (request.kind) {
    case 'all':
      return yield* together(request.procedures, reports);
    case 'stopped':
      return { value: false };
    case 'log':
      return { value: undefined };
    case 'reached':
      reports.reached(request.observation);
      return { value: undefined };
    case 'between_steps':
      reports.between({ observation: request.observation, memory: copied(request.memory) });
      return { value: undefined };
    case 'describe':
      return { value: '' };
    default:
      return yield request;
  }
}

function* together(
  procedures: readonly Procedure<unknown>[],
  reports: Reports,
): Generator<ClusterRequest, Outcome, Outcome> {
  const results: unknown[] = [];
  const failures: unknown[] = [];
  for (const each of procedures) {
    try {
      results.push(yield* requestsOf(each, reports));
    } catch (error) {
      failures.push(error);
    }
  }
  return failures.length > 0 ? { error: failures[0] } : { value: results };
}

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
