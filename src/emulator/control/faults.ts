import { type LoggedRequest, type RequestFilter, requestMatcher } from './request-log';

/** Something that goes wrong on purpose, for the requests that fit. */
export interface Fault extends RequestFilter {
  /** How many fitting requests stay unharmed first. Default: 0. */
  readonly skip?: number;
  /** How many requests it hits before it is over. Default: all until it is cleared. */
  readonly count?: number;
  /** Answers come this much later. Goes together with the other effects. */
  readonly latencyMs?: number;
  /** Answers with this status, and does nothing of what was asked. */
  readonly status?: number;
  /** Texts in the body that goes with `status`. Default: none. */
  readonly errors?: readonly string[];
  /** Sent as `Retry-After` with `status`, in seconds. */
  readonly retryAfter?: number;
  /** Cuts the connection: before anything is done, or after it is done and instead of the answer. */
  readonly drop?: 'before' | 'after';
  /** Ends the cluster and starts it anew from what it stored: before anything is done, or after it and instead of the answer. */
  readonly crash?: 'before' | 'after';
  /** Answers as a sealed server does. */
  readonly sealed?: boolean;
}

/** A fault that was injected, with what is left of it. */
export interface ActiveFault {
  readonly id: string;
  readonly fault: Fault;
  /** How many requests it has hit. */
  readonly hits: number;
}

interface Entry {
  readonly id: string;
  readonly fault: Fault;
  readonly fits: (request: Pick<LoggedRequest, 'cluster' | 'method' | 'path'>) => boolean;
  seen: number;
}

const NO_FAULTS: readonly Fault[] = [];

/** The faults that wait for their requests. */
export class Faults {
  #entries: Entry[] = [];
  #lastId = 0;

  /** @returns an id to clear it with. */
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

  /** Clears one fault, or all. */
  clear(id?: string): void {
    this.#entries = id === undefined ? [] : this.#entries.filter((entry) => entry.id !== id);
  }

  /** The faults that hit a request, which are thereby counted. */
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
