import type { SnapshotStatus } from '../../model';
import { bool, integer, list, string, types, type Validator } from '../../plugin';
import { DATA_SOURCE_LOCATION } from '../objects';

const reported = (description: string) => string({ computed: true, description });

/** The server's status fields, by its own names. Null if the server does not report them. */
const REPORTED_ATTRIBUTES = {
  last_snapshot_start: reported('When the last finished attempt began, as RFC 3339.'),
  last_snapshot_end: reported('When the last finished attempt ended, as RFC 3339.'),
  last_snapshot_error: reported('Why the last finished attempt failed. Null if it succeeded.'),
  last_snapshot_url: reported('Where the last finished attempt wrote to.'),
  snapshot_start: reported('When the current or most recent attempt began, as RFC 3339.'),
  snapshot_url: reported('Where the current or most recent attempt writes to.'),
  next_snapshot_start: reported('When the next attempt is planned, as RFC 3339.'),
  consecutive_errors: integer({
    computed: true,
    description: 'Number of consecutive failures.',
  }),
  loaded_snapshot_id: reported('Id of the loaded snapshot, if `autoload_enabled` is set.'),
  loaded_snapshot_status: reported('State of the loaded snapshot, such as `ready`.'),
  loaded_snapshot_expires_at: reported('When the loaded snapshot is unloaded, as RFC 3339.'),
  loading_error: reported('Why the last snapshot could not be loaded. Null if it was loaded.'),
} satisfies Readonly<Record<keyof Required<SnapshotStatus>, unknown>>;

/** The values of the attributes if the server reports none of them. */
export const NOTHING_REPORTED = Object.fromEntries(
  Object.keys(REPORTED_ATTRIBUTES).map((name) => [name, null]),
) as Record<keyof typeof REPORTED_ATTRIBUTES, null>;

/** The attributes of the data source: the status, the criteria, and the verdict. */
export const STATUS_ATTRIBUTES = {
  ...DATA_SOURCE_LOCATION,
  name: string({ required: true, description: 'Name of the configuration.' }),
  interval: string({
    optional: true,
    computed: true,
    description:
      'Time between snapshots: a number of seconds, or a duration such as `24h`. Default: it is read from the ' +
      'configuration, which requires sudo, unlike the status.',
  }),
  max_intervals: integer({
    optional: true,
    validators: [atLeast(1)],
    description: 'Maximum number of intervals since the last success. Default: `2`.',
  }),
  max_errors: integer({
    optional: true,
    validators: [atLeast(0)],
    description: 'Maximum number of consecutive failures. Default: `0`.',
  }),
  healthy: bool({
    computed: true,
    description:
      'Whether snapshots work: the last success is no more than `max_intervals` intervals ago, and no more than ' +
      '`max_errors` attempts have failed since then.',
  }),
  state: reported(
    '`ok`, `waiting` for the first attempt, `failing` or `overdue`. Waiting counts as healthy as long as the ' +
      'server says when the first attempt is due, and it is not overdue.',
  ),
  problems: list(types.string, {
    computed: true,
    description: 'The problems, for people. Empty if there are none.',
  }),
  ...REPORTED_ATTRIBUTES,
};

function atLeast(least: number): Validator<number> {
  return (value) => (value >= least ? undefined : `must be at least ${least}, got ${value}`);
}
