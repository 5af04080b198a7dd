import type { AuditedRequest, Replayed, ReplayedPolicies } from '../../../model';

/** The counts of the logs that were read. */
export interface AuditLogCounts {
  /** The number of requests on which policies decide, of the selected holder. */
  requests: number;
  /** The requests among them that the server allowed. */
  allowed: number;
  unreadable: number;
  first: string;
  last: string;
}

/** The outcomes of equal requests, from the first one to the last. */
export interface Counted {
  readonly operation: string;
  readonly path: string;
  /** The policies of the token that made the last one. */
  policies: readonly string[];
  count: number;
  last: string;
}

/** The maximum number of different requests in a list. All requests are counted. */
const MOST_LISTED = 10_000;

/** Counts requests by operation and path, in bounded memory. */
export class Tally {
  readonly #kinds = new Map<string, Counted>();
  #total = 0;

  add({ request: { operation, path }, policies, time }: AuditedRequest): void {
    this.#total++;
    const key = `${operation} ${path}`;
    const known = this.#kinds.get(key);
    if (known) Object.assign(known, { count: known.count + 1, last: time, policies });
    else if (this.#kinds.size < MOST_LISTED)
      this.#kinds.set(key, { operation, path, policies, count: 1, last: time });
  }

  get total(): number {
    return this.#total;
  }

  /** Returns the requests, the most frequent first. */
  list(): readonly Counted[] {
    return [...this.#kinds.values()].sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
  }
}

/** The decisions of today's policies, and of new policies, on logged requests. */
export class Account {
  /** The number of requests that today's policies decide as the server did. */
  reproduced = 0;
  /**
   * The number of requests without a certain decision, because it depends on a hashed value or an
   * identity.
   */
  undetermined = 0;
  /** Requests that the server allowed, and today's policies refuse. */
  readonly refusedToday = new Tally();
  /** Requests that the server refused, and today's policies allow. */
  readonly allowedToday = new Tally();
  /** Requests that the server allowed, and the new policies refuse. */
  readonly refusedThen = new Tally();
  /** Requests that the server refused, and the new policies allow. */
  readonly allowedThen = new Tally();
  readonly #missing = new Map<string, number>();
  readonly #today: ReplayedPolicies | undefined;
  readonly #new: ReplayedPolicies | undefined;

  constructor(today: ReplayedPolicies | undefined, against: ReplayedPolicies | undefined) {
    this.#today = today;
    this.#new = against;
  }

  add(audited: AuditedRequest): void {
    const policies = this.#new ?? this.#today;
    for (const name of policies?.missing(audited) ?? []) {
      this.#missing.set(name, (this.#missing.get(name) ?? 0) + 1);
    }
    const today = this.#today?.decide(audited);
    const then = this.#new?.decide(audited);
    if (today === 'unknown' || then === 'unknown') this.undetermined++;
    if (isDecided(today)) {
      if (audited.allowed === (today === 'allowed')) this.reproduced++;
      else (audited.allowed ? this.refusedToday : this.allowedToday).add(audited);
    }
    if (isDecided(then) && audited.allowed !== (then === 'allowed')) {
      (audited.allowed ? this.refusedThen : this.allowedThen).add(audited);
    }
  }

  /** The policies of tokens that were not given, with the number of their requests. */
  get missing(): ReadonlyMap<string, number> {
    return this.#missing;
  }
}

function isDecided(replayed: Replayed | undefined): replayed is 'allowed' | 'refused' {
  return replayed === 'allowed' || replayed === 'refused';
}
