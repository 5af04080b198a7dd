import type { Clock, Milliseconds, Seconds } from '../transport/clock';
import { VaultError } from '../vault-error';
import { describeReplicationStatus, type ReplicationStatus } from '../../model/replication/status';

/** The options of a wait for a cluster. */
export interface WaitOptions {
  /** @default 60 */
  readonly timeout?: Seconds;
  /** Aborts the wait, which then fails with a VaultError `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * The longest time between two reads. They begin with 0.1 s.
   *
   * @default 1
   */
  readonly longestPause?: Seconds;
  /** Called with the progress each time it changes. */
  readonly onProgress?: (progress: WaitProgress) => void;
}

/** The latest result of a wait: a status, or the reason why it could not be read. */
export interface WaitProgress {
  /** The result of `describeReplicationStatus`, or the failure's message. */
  readonly text: string;
  readonly status?: ReplicationStatus;
  readonly failure?: VaultError;
  /** The time since the wait began. */
  readonly waited: Seconds;
}

/** Whether a status is the expected one. The check may read from another cluster. */
export type Reached<S extends ReplicationStatus> =
  ((status: ReplicationStatus) => status is S) | ((status: ReplicationStatus) => Promise<boolean>);

/** The parts of a client that a wait uses. */
interface Watched {
  readonly address: string;
  readonly clock: Clock;
  status(timeout: Seconds): Promise<ReplicationStatus>;
  pause(milliseconds: Milliseconds): Promise<void>;
}

const DEFAULT_TIMEOUT = 60;
/** Milliseconds: most changes take a second or less. */
const FIRST_PAUSE = 100;
/** Seconds. */
const LONGEST_PAUSE = 1;
/**
 * The time limit of one read in seconds. A read that is in progress at the deadline is completed.
 */
const LONGEST_LOOK = 5;

/** Statuses other than 5xx of a node that is temporarily not active or not up to date. */
const NOT_NOW: ReadonlySet<number | undefined> = new Set([412, 429, 472, 473]);
const NO_ANSWER: ReadonlySet<VaultError['code']> = new Set<VaultError['code']>([
  'unreachable',
  'connection_lost',
  'timeout',
]);

/**
 * Whether a failure can be temporary during a change of mode, in which a cluster is sealed and
 * unsealed, and closes connections.
 */
export function isNotYet({ status, code }: VaultError): boolean {
  return status === undefined ? NO_ANSWER.has(code) : status >= 500 || NOT_NOW.has(status);
}

/**
 * Reads the status until it is as expected.
 *
 * @param goal what the cluster is expected to do, for messages: `become a primary`.
 * @throws VaultError `timeout` with the last status; any failure that is not temporary.
 */
export async function waitUntil<S extends ReplicationStatus>(
  watched: Watched,
  reached: Reached<S>,
  goal: string,
  { timeout = DEFAULT_TIMEOUT, longestPause = LONGEST_PAUSE, signal, onProgress }: WaitOptions,
): Promise<S> {
  const { clock } = watched;
  const begin = clock.now();
  let last: WaitProgress | undefined;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, longestPause * 1000)) {
    if (clock.now() - begin >= timeout * 1000) throw notReached(watched.address, goal, timeout, last);

    const found = await look(watched);
    if (found instanceof Error && (signal?.aborted || !isNotYet(found))) throw found;
    // The check has succeeded, so the status has the expected type.
    if (!(found instanceof Error) && (await reached(found))) return found as S;

    const progress = progressOf(found, (clock.now() - begin) / 1000);
    if (progress.text !== last?.text) onProgress?.(progress);
    last = progress;
    await watched.pause(pause);
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
      `the cluster at ${address} did not ${goal} within ${timeout} s; its last status: ${last?.text.replace(/\.$/, '') ?? 'none'}. ` +
      'See its log and that of its primary. It may still get there: wait longer, or read the status again.',
    address,
    cause: last?.failure,
  });
}

function aborted(address: string, goal: string, last: WaitProgress): VaultError {
  return new VaultError({
    code: 'aborted',
    message: `stopped waiting for the cluster at ${address} to ${goal}; its last status: ${last.text}`,
    address,
  });
}
