/** Holds the requests of the provider's runs back, until it is their turn. */
import {
  applySteps,
  factsForPlan,
  observe,
  type ClusterRequest,
  type Procedure,
  type Request,
} from '../../../src/provider/replication/set/decide';
import { Performer } from '../../../src/provider/replication/set/perform';
import type { Outcome } from '../apply/replay';

/** A request that waits for its turn. */
export interface Held {
  readonly request: ClusterRequest;
  /** Makes the request to the cluster. The provider does not receive the outcome yet. */
  readonly make: () => Promise<Outcome>;
  /** Gives the provider an outcome, so that it continues. */
  readonly release: (outcome: Outcome) => void;
}

/**
 * The phases of a run whose requests are held. Only the first refresh and the first plan are held,
 * because Terraform plans again during the apply.
 */
type Phase = 'refresh' | 'plan' | 'apply';

/** Receives the requests of all runs in this process while it is open. */
export class Gate {
  readonly held: Held[] = [];
  readonly #phases: Set<Phase>;
  readonly #close: () => void;

  /** @param phases the phases whose requests are held */
  constructor(phases: readonly Phase[]) {
    this.#phases = new Set(phases);
    const { held } = this;
    const passes = (procedure: Procedure<unknown>) => this.#passes(procedure);
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the performer
    const { run } = Performer.prototype;
    this.#close = () => (Performer.prototype.run = run);
    Performer.prototype.run = function <T>(this: Performer, procedure: Procedure<T>): Promise<T> {
      return passes(procedure)
        ? (run.call(this, procedure) as Promise<T>)
        : inTurn(this, procedure, run, held);
    };
  }

  close(): void {
    this.#close();
  }

  #passes(procedure: Procedure<unknown>): boolean {
    const phase = phaseOf(procedure);
    if (phase === undefined || !this.#phases.has(phase)) return true;
    if (phase !== 'apply') this.#phases.delete(phase);
    return false;
  }
}

function phaseOf(procedure: Procedure<unknown>): Phase | undefined {
  const isBy = (made: { readonly prototype: unknown }) => Object.getPrototypeOf(procedure) === made.prototype;
  if (isBy(applySteps)) return 'apply';
  if (isBy(factsForPlan)) return 'plan';
  return isBy(observe) ? 'refresh' : undefined;
}

/** Runs a procedure like the performer, except that each request to a cluster is held. */
async function inTurn<T>(
  performer: Performer,
  procedure: Procedure<T>,
  run: Performer['run'],
  held: Held[],
): Promise<T> {
  const alone = (request: Request) => run.call(performer, single(request));
  let next = procedure.next();
  while (!next.done) {
    const outcome = await outcomeOf(next.value);
    next = 'error' in outcome ? procedure.throw(outcome.error) : procedure.next(outcome.value);
  }
  return next.value;

  function outcomeOf(request: Request): Promise<Outcome> {
    switch (request.kind) {
      case 'all':
        return together(request.procedures.map((each) => inTurn(performer, each, run, held)));
      case 'stopped':
      case 'log':
      case 'reached':
      case 'between_steps':
      case 'describe':
        return settled(alone(request));
      default:
        return new Promise((resolve) => {
          held.push({ request, make: () => settled(alone(request)), release: resolve });
        });
    }
  }
}

function* single(request: Request): Procedure<unknown> {
  return yield request;
}

function settled(answer: Promise<unknown>): Promise<Outcome> {
  return answer.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** Waits for all requests, and returns the first failure, if there is one. */
async function together(parts: readonly Promise<unknown>[]): Promise<Outcome> {
  const ended = await Promise.allSettled(parts);
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) return { error: failed.reason };
  return { value: ended.map((each) => (each as PromiseFulfilledResult<unknown>).value) };
}
