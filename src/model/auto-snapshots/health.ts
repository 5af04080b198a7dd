import { formatDuration } from '../durations';
import type { SnapshotStatus } from './status';

/** The health of automated snapshots, judged by their status. */
export interface SnapshotHealth {
  readonly healthy: boolean;
  /** `waiting`: nothing has been attempted yet. */
  readonly state: 'ok' | 'waiting' | 'failing' | 'overdue';
  /**
   * The problems, or the reasons why the health is not known yet, as sentences for people. Empty if
   * everything works.
   */
  readonly reasons: readonly string[];
}

export interface SnapshotHealthOptions {
  /** The number of intervals that may have passed since the last success. Default: 2. */
  readonly maxIntervals?: number;
  /** The number of attempts in a row that may have failed. Default: 0. */
  readonly maxErrors?: number;
}

/**
 * Judges a status: the last success is no more than `maxIntervals` intervals ago, and no more than
 * `maxErrors` attempts have failed since. A configuration whose first attempt is not due yet is
 * healthy, if the server reports when it is due.
 *
 * @param intervalSeconds the time between snapshots.
 * @param now milliseconds since 1970.
 */
export function snapshotHealth(
  status: SnapshotStatus,
  intervalSeconds: number,
  now: number,
  options: SnapshotHealthOptions = {},
): SnapshotHealth {
  if (status.last_snapshot_end === undefined) return beforeTheFirst(status, intervalSeconds, now, options);

  const failures = describeFailures(status, options.maxErrors ?? 0);
  const delays = describeDelay(status, intervalSeconds, now, options);
  const reasons = [...failures, ...delays];
  const state = failures.length > 0 ? 'failing' : delays.length > 0 ? 'overdue' : 'ok';
  return { healthy: reasons.length === 0, state, reasons };
}

function beforeTheFirst(
  status: SnapshotStatus,
  intervalSeconds: number,
  now: number,
  { maxIntervals = 2 }: SnapshotHealthOptions,
): SnapshotHealth {
  if (status.next_snapshot_start === undefined) {
    const reason = `no snapshot was attempted yet; the first is due one interval (${formatDuration(intervalSeconds)}) after the configuration was written`;
    return { healthy: false, state: 'waiting', reasons: [reason] };
  }
  const due = Date.parse(status.next_snapshot_start);
  const overdue = now > due + (maxIntervals - 1) * intervalSeconds * 1000;
  const reason = overdue
    ? `no snapshot was attempted yet; the first was due at ${timeText(due)}, ${ageText(due, now)} ago`
    : `no snapshot was attempted yet; the first is due at ${timeText(due)}`;
  return { healthy: !overdue, state: overdue ? 'overdue' : 'waiting', reasons: [reason] };
}

function describeFailures(status: SnapshotStatus, maxErrors: number): readonly string[] {
  const { last_snapshot_error: error, loading_error: loading } = status;
  const errors = failedAttempts(status);
  const attempts = errors === 1 ? 'the last attempt' : `the last ${errors} attempts`;
  return [
    ...(errors > maxErrors ? [`${attempts} failed${error === undefined ? '' : `: ${error}`}`] : []),
    ...(loading === undefined ? [] : [`the last snapshot could not be loaded: ${loading}`]),
  ];
}

/**
 * Describes how long ago the last success was. Servers do not report its time after a failure. It
 * was at least one interval before the first failed attempt.
 */
function describeDelay(
  status: SnapshotStatus,
  intervalSeconds: number,
  now: number,
  { maxIntervals = 2, maxErrors = 0 }: SnapshotHealthOptions,
): readonly string[] {
  const end = Date.parse(status.last_snapshot_end ?? '');
  const errors = failedAttempts(status);
  const tolerated = errors <= maxErrors ? errors : 0;
  const success = end - tolerated * intervalSeconds * 1000;
  if (now - success <= maxIntervals * intervalSeconds * 1000) return [];
  const fact =
    tolerated > 0
      ? `the last success was ${ageText(success, now)} ago or earlier`
      : `the last attempt ended at ${timeText(end)}, ${ageText(end, now)} ago`;
  return [`${fact}; snapshots are due every ${formatDuration(intervalSeconds)}`];
}

function failedAttempts({ consecutive_errors: errors, last_snapshot_error: error }: SnapshotStatus): number {
  return errors ?? (error === undefined ? 0 : 1);
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

function ageText(since: number, now: number): string {
  return formatDuration(Math.round((now - since) / 1000));
}
