import { VaultError, type VaultErrorCode } from '../../client';
import { MessageError } from '../messages';
import { callFailed, reasonOf, refusingPolicyOf, type FailedOperation } from './messages';
import { perRun } from './per-run';

/** The codes of failures that every further call to the cluster would have as well. */
const OF_CLUSTER: ReadonlySet<VaultErrorCode> = new Set<VaultErrorCode>([
  'invalid_options',
  'login_refused',
  'sealed',
  'tls_client_certificate',
  'tls_failed',
  'tls_not_trusted',
  'tls_wrong_host',
  'unreachable',
  'wrong_scheme',
]);

/** Milliseconds after a failure until one call is made to the failed cluster again. */
const TRY_AGAIN = 30_000;

/** The first error, which is reported in full, and the object of its call. */
interface First {
  readonly title: string;
  readonly error: VaultError;
}

/**
 * The failures of one cluster that are the same for many objects, in one run of Terraform. The
 * first failure is reported in full, and the failure of each further object in one line. A failed
 * cluster gets no further call, except one from time to time.
 */
export class FailuresOfCluster {
  #failed: First | undefined;
  #since = 0;
  /**
   * The first of several calls in a row that timed out. A single call may be slow for its own
   * reasons, so only the second timeout counts as a failure of the cluster.
   */
  #late: First | undefined;
  readonly #refusals = new Map<string, First>();
  readonly #now: () => number;

  /** @param now returns the time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @throws MessageError in place of a call, while the cluster counts as failed. */
  admit(attempt: FailedOperation): void {
    const failed = this.#failed;
    if (failed === undefined) return;
    if (this.#now() - this.#since >= TRY_AGAIN) {
      // Only this call tries the cluster; the others wait for its result.
      this.#since = this.#now();
      return;
    }
    const { code, message } = failed.error;
    throw this.#inOneLine(attempt, failed, reasonOf(failed.error), new VaultError({ code, message }));
  }

  succeeded(): void {
    this.#failed = undefined;
    this.#late = undefined;
  }

  /** Returns the error to report for a call that failed. */
  errorOf(error: VaultError, attempt: FailedOperation): MessageError {
    const first = { title: attempt.title, error };
    const isLate = error.code === 'timeout';
    const before = this.#failed ?? (isLate ? this.#late : undefined);
    if (isLate) this.#late ??= first;
    if (OF_CLUSTER.has(error.code) || (isLate && before !== undefined)) {
      this.#failed ??= before ?? first;
      this.#since = this.#now();
      return before === undefined
        ? callFailed(error, attempt)
        : this.#inOneLine(attempt, before, reasonOf(error), error);
    }
    const policy = refusingPolicyOf(error);
    if (policy === undefined) return callFailed(error, attempt);
    const refused = this.#refusals.get(policy);
    if (refused === undefined) {
      this.#refusals.set(policy, first);
      return callFailed(error, attempt);
    }
    return this.#inOneLine(attempt, refused, reasonOf(error), error);
  }

  /**
   * Returns the error for a further object in one line. If it is the object of the first error,
   * returns that error in full again, because the first failure may not have been reported.
   */
  #inOneLine(attempt: FailedOperation, first: First, reason: string, cause: VaultError): MessageError {
    const { verb, title, cluster } = attempt;
    if (first.title === title) return callFailed(first.error, attempt);
    const seen = `see the error about ${first.title}`;
    const summary = `cannot ${verb} ${title} on cluster ${JSON.stringify(cluster)}: ${reason} (${seen})`;
    return new MessageError({ summary }, { cause });
  }
}

/** The failures of a cluster, by its name. */
export const failuresOf = perRun(() => new FailuresOfCluster());
