import {
  autoSnapshot,
  normalizeNamespace,
  objectTitle,
  parseDuration,
  snapshotHealth,
  type SnapshotStatus,
} from '../../model';
import { between, bool, definitions, integer, list, string, types, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import {
  dataSourceLocation,
  locationOf,
  nothingToRead,
  reportFindings,
  request,
  type ObjectSubject,
  type RequestContext,
} from '../objects';
import { storedSnapshot } from './stored-snapshot';

const told = (description: string) => string({ computed: true, description });

/** What the server tells, by its own names. Null is what it does not tell. */
const statusAttributes = {
  last_snapshot_start: told('When the last finished attempt began, as RFC 3339.'),
  last_snapshot_end: told('When the last finished attempt ended, as RFC 3339.'),
  last_snapshot_error: told('Why the last finished attempt failed. Null where it did not.'),
  last_snapshot_url: told('Where the last finished attempt wrote to.'),
  snapshot_start: told('When the current or most recent attempt began, as RFC 3339.'),
  snapshot_url: told('Where the current or most recent attempt writes to.'),
  next_snapshot_start: told('When the next attempt is planned, as RFC 3339.'),
  consecutive_errors: integer({
    computed: true,
    description: 'How many attempts in a row have failed up to now.',
  }),
  loaded_snapshot_id: told('Id of the snapshot that is loaded, where `autoload_enabled` is set.'),
  loaded_snapshot_status: told('State of the snapshot that is loaded, such as `ready`.'),
  loaded_snapshot_expires_at: told('When the loaded snapshot is unloaded, as RFC 3339.'),
  loading_error: told('Why the last snapshot could not be loaded. Null where it could.'),
} satisfies Readonly<Record<keyof Required<SnapshotStatus>, unknown>>;

/**
 * Interface section 4.4: `/sys/storage/raft/snapshot-auto/status`. Snapshots that fail are no error of the data source,
 * so that a `check` block can say what to make of them.
 */
export const autoSnapshotStatusDataSource: DataSource<Clusters> = definitions<Clusters>().dataSource({
  name: `${autoSnapshot.name}_status`,
  schema: {
    description:
      `Reads what came of one configuration of ${autoSnapshot.title}s, and judges whether they work: made for the ` +
      '`assert` of a `check` block.',
    attributes: {
      ...dataSourceLocation,
      name: string({ required: true, description: 'Name of the configuration.' }),
      interval: string({
        optional: true,
        computed: true,
        description:
          'Time between snapshots: a number of seconds, or a duration such as `24h`. Left out: it is read from the ' +
          'configuration, which takes sudo; the status does not.',
      }),
      max_intervals: integer({
        optional: true,
        validators: [between(1, Number.MAX_SAFE_INTEGER)],
        description: 'How many intervals may have passed since the last attempt. Default: `2`.',
      }),
      max_errors: integer({
        optional: true,
        validators: [between(0, Number.MAX_SAFE_INTEGER)],
        description: 'How many attempts in a row may have failed. Default: `0`.',
      }),
      healthy: bool({
        computed: true,
        description:
          'Whether snapshots work: the last attempt succeeded, and lies no more than `max_intervals` intervals back.',
      }),
      state: told(
        '`ok`, `waiting` for the first attempt, `failing` or `overdue`. Waiting counts as healthy as long as the ' +
          'server says when the first attempt is due, and it is not overdue.',
      ),
      problems: list(types.string, {
        computed: true,
        description: 'What is wrong, in words. Empty where all is well.',
      }),
      ...statusAttributes,
    },
  },

  validate({ config: { name, interval } }, { diagnostics }) {
    reportFindings(autoSnapshot, { name, ...(interval !== null && { interval }) }, diagnostics);
  },

  async read({ config }, context) {
    const { name, namespace, max_intervals, max_errors } = config;
    const cluster = context.provider.knownNameOf(config.cluster, objectTitle(autoSnapshot, name), context);
    const identity = { cluster, namespace: normalizeNamespace(namespace), name };
    const snapshot = storedSnapshot(identity, context);

    const [status, now] = await Promise.all([
      statusOf(snapshot.subject, name, context),
      serverTime(snapshot.subject, context),
    ]);
    const interval = config.interval ?? (await snapshot.read())?.interval.toString();
    if (!status || interval === undefined) throw nothingToRead(snapshot.subject);

    const { healthy, state, reasons } = snapshotHealth(status, parseDuration(interval), now, {
      ...(max_intervals !== null && { maxIntervals: max_intervals }),
      ...(max_errors !== null && { maxErrors: max_errors }),
    });
    return {
      ...config,
      ...locationOf(identity),
      namespace,
      interval,
      healthy,
      state,
      problems: healthy ? [] : reasons,
      ...NOTHING_TOLD,
      ...status,
    };
  },
});

const NOTHING_TOLD = Object.fromEntries(Object.keys(statusAttributes).map((name) => [name, null])) as Record<
  keyof typeof statusAttributes,
  null
>;

async function statusOf(
  subject: ObjectSubject,
  name: string,
  context: RequestContext,
): Promise<SnapshotStatus | undefined> {
  const response = await request('read the status of', subject, context, ({ autoSnapshots }) =>
    autoSnapshots.status(name, { signal: context.signal }),
  );
  return response?.data;
}

/** Milliseconds since 1970, by the clock that the status was written by, or else by this machine's. */
async function serverTime(subject: ObjectSubject, context: RequestContext): Promise<number> {
  const { data } = await request('read the status of', subject, context, ({ system }) =>
    system.health({ signal: context.signal }),
  );
  const { server_time_utc: seconds } = data;
  return typeof seconds === 'number' ? seconds * 1000 : Date.now();
}
