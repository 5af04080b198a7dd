import type { Clock } from '../transport/clock';
import { VaultError } from '../errors/vault-error';
import { describeReplicationStatus, type ReplicationStatus } from './status';

/** How to wait for a cluster to get somewhere. */
export interface WaitOptions {
  /**
   * Seconds.
   *
   * @default 60
   */
  readonly timeout?: number;
  /** Ends the wait with a VaultError `aborted`. */
  readonly signal?: AbortSignal;
  /** Told of what was found, each time it is something else than before. */
  readonly onProgress?: (progress: WaitProgress) => void;
}

/** What was found while waiting: a status, or why there was none. */
export interface WaitProgress {
  /** As `describeReplicationStatus` says it, or the failure's message. */
  readonly text: string;
  readonly status?: ReplicationStatus;
  readonly failure?: VaultError;
  /** Seconds since the wait began. */
  readonly waited: number;
}

/** What a wait needs of a client. */
interface Watched {
  readonly address: string;
  readonly clock: Clock;
  /** @param timeout seconds. */
  status(timeout: number): Promise<ReplicationStatus>;
}

const DEFAULT_TIMEOUT = 60;
/** Milliseconds between two looks: short at first, since most changes take a second or less. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 1_000;
/** Seconds that one look may take; one that is under way at the deadline is waited for. */
const LONGEST_LOOK = 5;

/** Statuses other than 5xx by which a node says that it is not the active one, or not up to date, for now. */
const NOT_NOW: ReadonlySet<number | undefined> = new Set([412, 429, 472, 473]);
const NO_ANSWER: ReadonlySet<VaultError['code']> = new Set<VaultError['code']>([
  'unreachable',
  'connection_lost',
  'timeout',
]);

/**
 * Whether a failure may pass while a cluster changes its mode: it seals and unseals itself, and drops connections.
 * Interface section 3.
 */
export function isNotYet({ status, code }: VaultError): boolean {
  return status === undefined ? NO_ANSWER.has(code) : status >= 500 || NOT_NOW.has(status);
}

/**
 * Looks at the status until it is as wanted.
 *
 * @param goal what is waited for, to follow `did not`: `become a primary`.
 * @throws VaultError `timeout` that says what was reached; any failure that does not pass by itself.
 */
export async function waitUntil<S extends ReplicationStatus>(
  watched: Watched,
  goal: string,
  reached: (status: ReplicationStatus) => status is S,
  { timeout = DEFAULT_TIMEOUT, signal, onProgress }: WaitOptions,
): Promise<S> {
  const { clock } = watched;
  const begin = clock.now();
  let last: WaitProgress | undefined;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    if (clock.now() - begin >= timeout * 1000) throw notReached(watched.address, goal, timeout, last);

    const found = await look(watched);
    if (found instanceof Error && (signal?.aborted || !isNotYet(found))) throw found;
    if (!(found instanceof Error) && reached(found)) return found;

    const progress = progressOf(found, (clock.now() - begin) / 1000);
    if (progress.text !== last?.text) onProgress?.(progress);
    last = progress;
    await sleep(clock, pause, signal);
    if (signal?.aborted) throw aborted(watched.address, goal, last);
  }
}

async function look(watched: Watched): Promise<ReplicationStatus | VaultError> {
  try {
    return await watched.status(LONGEST_LOOK);
  } catch (error) {
    if (error instanceof VaultError) return error;
    throw error;
  }
}

function progressOf(found: ReplicationStatus | VaultError, waited: number): WaitProgress {
  return found instanceof VaultError
    ? { text: found.message, failure: found, waited }
    : { text: describeReplicationStatus(found), status: found, waited };
}

function notReached(
  address: string,
  goal: string,
  timeout: number,
  last: WaitProgress | undefined,
): VaultError {
  return new VaultError({
    code: 'timeout',
    message:
      `the cluster at ${address} did not ${goal} within ${timeout} s; it got as far as: ${last?.text ?? 'nothing'}. ` +
      'Its log, and that of its primary, say more. It may still get there: wait longer, or look at the status again.',
    address,
    cause: last?.failure,
  });
}

function aborted(address: string, goal: string, last: WaitProgress): VaultError {
  return new VaultError({
    code: 'aborted',
    message: `stopped waiting for the cluster at ${address} to ${goal}; it got as far as: ${last.text}`,
    address,
  });
}

function sleep(clock: Clock, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stopTimer();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
