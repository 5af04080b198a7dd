import { type LoggedRequest, type RequestFilter, requestMatcher } from './request-log';

/** A fault to inject into the requests that match the filter. */
export interface Fault extends RequestFilter {
  /** The number of matching requests to answer normally first. Default: 0. */
  readonly skip?: number;
  /** The number of requests to hit. Default: all until the fault is cleared. */
  readonly count?: number;
  /** Delays responses by this many milliseconds. It can be combined with the other effects. */
  readonly latencyMs?: number;
  /** Delays responses until this resolves. The control API cannot express it. */
  readonly until?: Promise<unknown>;
  /** Responds with this status without handling the request. */
  readonly status?: number;
  /** The `errors` in the body of a response with `status`. Default: none. */
  readonly errors?: readonly string[];
  /** The `Retry-After` header of a response with `status`, in seconds. */
  readonly retryAfter?: number;
  /** Closes the connection: before the request is handled, or after it, instead of the response. */
  readonly drop?: 'before' | 'after';
  /**
   * Crashes the cluster and restarts it from its storage: before the request is handled, or after
   * it, instead of the response.
   */
  readonly crash?: 'before' | 'after';
  /** Responds as a sealed server does. */
  readonly sealed?: boolean;
}

/** An injected fault. */
export interface ActiveFault {
  readonly id: string;
  readonly fault: Fault;
  /** The number of requests that it has affected. */
  readonly hits: number;
}

interface Entry {
  readonly id: string;
  readonly fault: Fault;
  readonly fits: (request: Pick<LoggedRequest, 'cluster' | 'method' | 'path'>) => boolean;
  seen: number;
}

const NO_FAULTS: readonly Fault[] = [];

/** The injected faults. */
export class Faults {
  #entries: Entry[] = [];
  #lastId = 0;

  /**
   * Injects a fault.
   *
   * @returns its id, which `clear` takes.
   */
  inject(fault: Fault): string {
    const id = String(++this.#lastId);
    this.#entries.push({ id, fault, fits: requestMatcher(fault), seen: 0 });
    return id;
  }

  list(): readonly ActiveFault[] {
    return this.#entries.map(({ id, fault, seen }) => ({
      id,
      fault,
      hits: Math.max(0, seen - (fault.skip ?? 0)),
    }));
  }

  /** Clears one fault, or all faults. */
  clear(id?: string): void {
    this.#entries = id === undefined ? [] : this.#entries.filter((entry) => entry.id !== id);
  }

  /** Returns the faults that affect a request, and counts the request for each of them. */
  hitting(request: Pick<LoggedRequest, 'cluster' | 'method' | 'path'>): readonly Fault[] {
    if (this.#entries.length === 0) return NO_FAULTS;
    const fitting = this.#entries.filter((entry) => entry.fits(request));
    for (const entry of fitting) entry.seen += 1;
    const hits = fitting.filter(({ seen, fault }) => seen > (fault.skip ?? 0)).map(({ fault }) => fault);
    this.#entries = this.#entries.filter(
      ({ seen, fault }) => seen < (fault.skip ?? 0) + (fault.count ?? Infinity),
    );
    return hits;
  }
}
