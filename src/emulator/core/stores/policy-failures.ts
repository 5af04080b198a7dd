import type { EnforcementLevel } from '../../../model';

/** An RGP or EGP that failed, as the server's log tells of it. */
export interface PolicyFailure {
  /** Milliseconds since 1970, by the emulator's clock. */
  readonly time: number;
  readonly kind: 'rgp' | 'egp';
  /** With its namespace: `root/business-hours`. */
  readonly policy: string;
  readonly level: EnforcementLevel;
  /** What the failure came to. */
  readonly effect: 'denied' | 'overridden' | 'advisory';
  /** What the request was for. */
  readonly namespace: string;
  readonly path: string;
  readonly operation: string;
  /** What stopped the policy; empty if it was evaluated to its end. */
  readonly error: string;
}

/** How many of the latest failures are kept. */
const KEPT_FAILURES = 1000;

/** The latest failures of Sentinel policies: the only trace of those that are advisory or overridden. */
export class PolicyFailures {
  #entries: PolicyFailure[] = [];

  record(failure: PolicyFailure): void {
    // Dropped in bulk, since taking one off the front costs as much.
    if (this.#entries.length >= 2 * KEPT_FAILURES) this.#entries = this.#entries.slice(-KEPT_FAILURES);
    this.#entries.push(failure);
  }

  /** Returns the latest failures, oldest first. */
  list(): readonly PolicyFailure[] {
    return this.#entries.slice(-KEPT_FAILURES);
  }
}
