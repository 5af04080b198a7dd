import type { EnforcementLevel } from '../../../model';

/** A failure of an RGP or EGP, as in the server's log. */
export interface PolicyFailure {
  /** Milliseconds since 1970, by the emulator's clock. */
  readonly time: number;
  readonly kind: 'rgp' | 'egp';
  /** The policy with its namespace: `root/business-hours`. */
  readonly policy: string;
  readonly level: EnforcementLevel;
  /** The effect of the failure on the request. */
  readonly effect: 'denied' | 'overridden' | 'advisory';
  /** The namespace, path and operation of the request. */
  readonly namespace: string;
  readonly path: string;
  readonly operation: string;
  /** The error that stopped the evaluation; empty if it was completed. */
  readonly error: string;
}

/** The number of latest failures that are kept. */
const KEPT_FAILURES = 1000;

/**
 * The latest failures of Sentinel policies. Failures that are advisory or overridden are only
 * visible here.
 */
export class PolicyFailures {
  #entries: PolicyFailure[] = [];

  record(failure: PolicyFailure): void {
    // Entries are removed in bulk, because removing one from the front takes as long as removing
    // many.
    if (this.#entries.length >= 2 * KEPT_FAILURES) this.#entries = this.#entries.slice(-KEPT_FAILURES);
    this.#entries.push(failure);
  }

  /** Returns the latest failures, oldest first. */
  list(): readonly PolicyFailure[] {
    return this.#entries.slice(-KEPT_FAILURES);
  }
}
