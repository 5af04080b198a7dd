import { formatDuration } from '../durations';
import type { SnapshotStatus } from './status';

/** Whether automated snapshots work, as far as their status tells. */
export interface SnapshotHealth {
  readonly healthy: boolean;
  /** `waiting`: nothing was attempted yet. */
  readonly state: 'ok' | 'waiting' | 'failing' | 'overdue';
  /** What is wrong, or why nothing can be said yet: sentences for people. Empty where all is well. */
  readonly reasons: readonly string[];
}

export interface SnapshotHealthOptions {
  /** How many intervals may have passed since the last success. Default: 2. */
  readonly maxIntervals?: number;
  /** How many attempts in a row may have failed. Default: 0. */
  readonly maxErrors?: number;
  /**
   * When the configuration was written, in milliseconds since 1970. Where it is known, there is nothing wrong with a
   * configuration whose first snapshot is not due yet.
   */
  readonly writtenAt?: number;
}

/**
 * Judges a status: the last attempt has succeeded, no more than `maxIntervals` intervals ago, and as many attempts in
 * a row have not failed as to matter.
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
  const delays = describeDelay(status.last_snapshot_end, intervalSeconds, now, options.maxIntervals ?? 2);
  const reasons = [...failures, ...delays];
  const state = failures.length > 0 ? 'failing' : delays.length > 0 ? 'overdue' : 'ok';
  return { healthy: reasons.length === 0, state, reasons };
}

function beforeTheFirst(
  status: SnapshotStatus,
  intervalSeconds: number,
  now: number,
  { writtenAt, maxIntervals = 2 }: SnapshotHealthOptions,
): SnapshotHealth {
  const due =
    status.next_snapshot_start !== undefined
      ? Date.parse(status.next_snapshot_start)
      : writtenAt !== undefined
        ? writtenAt + intervalSeconds * 1000
        : undefined;
  if (due === undefined) {
    const reason = `no snapshot was attempted yet; the first is due one interval (${formatDuration(intervalSeconds)}) after the configuration was written`;
    return { healthy: false, state: 'waiting', reasons: [reason] };
  }
  const overdue = now > due + (maxIntervals - 1) * intervalSeconds * 1000;
  const reason = overdue
    ? `no snapshot was attempted yet; the first was due at ${timeText(due)}, ${ageText(due, now)} ago`
    : `no snapshot was attempted yet; the first is due at ${timeText(due)}`;
  return { healthy: !overdue, state: overdue ? 'overdue' : 'waiting', reasons: [reason] };
}

function describeFailures(status: SnapshotStatus, maxErrors: number): readonly string[] {
  const { last_snapshot_error: error, loading_error: loading } = status;
  const errors = status.consecutive_errors ?? (error === undefined ? 0 : 1);
  const attempts = errors === 1 ? 'the last attempt' : `the last ${errors} attempts`;
  return [
    ...(errors > maxErrors ? [`${attempts} failed${error === undefined ? '' : `: ${error}`}`] : []),
    ...(loading === undefined ? [] : [`the last snapshot could not be loaded: ${loading}`]),
  ];
}

function describeDelay(
  lastEnd: string,
  intervalSeconds: number,
  now: number,
  maxIntervals: number,
): readonly string[] {
  const end = Date.parse(lastEnd);
  if (now - end <= maxIntervals * intervalSeconds * 1000) return [];
  return [
    `the last attempt ended at ${timeText(end)}, ${ageText(end, now)} ago; snapshots are due every ${formatDuration(intervalSeconds)}`,
  ];
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

function ageText(since: number, now: number): string {
  return formatDuration(Math.round((now - since) / 1000));
}
