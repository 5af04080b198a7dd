import type { FieldValues } from '../definition/field';

/**
 * The status of a configuration's snapshots. Times are in RFC 3339. Fields that the server does not
 * report are absent. Before the first attempt, these are all fields.
 */
export interface SnapshotStatus {
  /** The time at which the last finished attempt began. */
  readonly last_snapshot_start?: string;
  /** The time at which the last finished attempt ended. */
  readonly last_snapshot_end?: string;
  /** The reason why the last finished attempt failed. Absent if it succeeded. */
  readonly last_snapshot_error?: string;
  /** The address that the last snapshot was written to. */
  readonly last_snapshot_url?: string;
  /** The time at which the current or most recent attempt began. */
  readonly snapshot_start?: string;
  /** The address that the current or most recent attempt writes to. */
  readonly snapshot_url?: string;
  /** The time for which the next attempt is planned. */
  readonly next_snapshot_start?: string;
  /** The number of attempts in a row that have failed up to now. */
  readonly consecutive_errors?: number;
  /** The id of the loaded snapshot, if `autoload_enabled` is set. */
  readonly loaded_snapshot_id?: string;
  readonly loaded_snapshot_status?: string;
  readonly loaded_snapshot_expires_at?: string;
  /** The reason why the snapshot could not be loaded. */
  readonly loading_error?: string;
}

const TEXTS = [
  'last_snapshot_start',
  'last_snapshot_end',
  'last_snapshot_error',
  'last_snapshot_url',
  'snapshot_start',
  'snapshot_url',
  'next_snapshot_start',
  'loaded_snapshot_id',
  'loaded_snapshot_status',
  'loaded_snapshot_expires_at',
  'loading_error',
] as const satisfies readonly (keyof SnapshotStatus)[];

/** The text that Go writes for a time that is not set. */
const NO_TIME = '0001-01-01T00:00:00Z';

/** The fields that are times: `last_snapshot_end`, `loaded_snapshot_expires_at`. */
const IS_TIME = /_(start|end|at)$/;

/**
 * Returns a status from a server's answer, without empty fields and without times that are not set.
 */
export function decodeSnapshotStatus(data: FieldValues): SnapshotStatus {
  const texts = TEXTS.map((name) => [name, data[name]] as const).filter(
    ([name, value]) =>
      typeof value === 'string' &&
      value !== '' &&
      value !== NO_TIME &&
      !(IS_TIME.test(name) && Number.isNaN(Date.parse(value))),
  );
  const { consecutive_errors: errors } = data;
  return {
    ...(Object.fromEntries(texts) as SnapshotStatus),
    ...((typeof errors === 'number' || typeof errors === 'bigint') && { consecutive_errors: Number(errors) }),
  };
}
