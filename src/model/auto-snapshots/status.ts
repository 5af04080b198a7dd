import type { FieldValues } from '../definition/field';

/**
 * What a server tells of a configuration's snapshots. Before the first attempt it tells nothing; what it does not tell
 * is absent. Times are RFC 3339.
 */
export interface SnapshotStatus {
  /** When the last finished attempt began. */
  readonly last_snapshot_start?: string;
  /** When the last finished attempt ended. */
  readonly last_snapshot_end?: string;
  /** Why the last finished attempt failed. Absent where it did not. */
  readonly last_snapshot_error?: string;
  /** Where the last snapshot was written to. */
  readonly last_snapshot_url?: string;
  /** When the current or most recent attempt began. */
  readonly snapshot_start?: string;
  /** Where the current or most recent attempt writes to. */
  readonly snapshot_url?: string;
  /** When the next attempt is planned. */
  readonly next_snapshot_start?: string;
  /** How many attempts in a row have failed up to now. */
  readonly consecutive_errors?: number;
  /** The loaded snapshot, where `autoload_enabled` is set: its id. */
  readonly loaded_snapshot_id?: string;
  readonly loaded_snapshot_status?: string;
  readonly loaded_snapshot_expires_at?: string;
  /** Why the snapshot could not be loaded. */
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

/** How Go writes a time that is not set. */
const NO_TIME = '0001-01-01T00:00:00Z';

/** The fields that are times: `last_snapshot_end`, `loaded_snapshot_expires_at`. */
const IS_TIME = /_(start|end|at)$/;

/** A status as a server gives it, without what is empty in it, and without times that are none. */
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
