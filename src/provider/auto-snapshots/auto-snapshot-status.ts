import {
  AUTO_SNAPSHOT,
  normalizeNamespace,
  objectTitle,
  parseDuration,
  snapshotHealth,
  type SnapshotStatus,
} from '../../model';
import { definitions, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import { nothingToRead, reportFindings, request, storedObject, type RequestContext } from '../objects';
import { NOTHING_REPORTED, STATUS_ATTRIBUTES } from './status-schema';
import { AUTO_SNAPSHOT_KIND } from './auto-snapshot-resource';

/**
 * The data source of the health of snapshots. Failed snapshots are no error here, so that a `check`
 * block can decide about them.
 */
export const AUTO_SNAPSHOT_STATUS_DATA_SOURCE: DataSource<Clusters> = definitions<Clusters>().dataSource({
  name: `${AUTO_SNAPSHOT.name}_status`,
  schema: {
    description:
      `Reads the status of one configuration of ${AUTO_SNAPSHOT.title}s, and determines whether they work. It is meant for the ` +
      '`assert` of a `check` block.',
    attributes: STATUS_ATTRIBUTES,
  },

  validate({ config: { name, interval } }, { diagnostics }) {
    reportFindings(AUTO_SNAPSHOT, { name, ...(interval !== null && { interval }) }, diagnostics);
  },

  async read({ config }, context) {
    const { namespace, max_intervals, max_errors } = config;
    const snapshot = snapshotIn(config, context);
    const { status, now } = await statusOf(snapshot, context);
    const interval = config.interval ?? (await snapshot.read())?.interval.toString();
    if (!status || interval === undefined) throw nothingToRead(snapshot.subject);

    const { healthy, state, reasons } = snapshotHealth(status, parseDuration(interval), now, {
      ...(max_intervals !== null && { maxIntervals: max_intervals }),
      ...(max_errors !== null && { maxErrors: max_errors }),
    });
    return {
      ...config,
      ...AUTO_SNAPSHOT_KIND.identification.locationOf(snapshot.identity),
      namespace,
      interval,
      healthy,
      state,
      problems: healthy ? [] : reasons,
      ...NOTHING_REPORTED,
      ...status,
    };
  },
});

/** The attributes that locate a configuration. */
interface Location {
  readonly cluster: string | null;
  readonly namespace: string | null;
  readonly name: string;
}

export function snapshotIn({ cluster: given, namespace, name }: Location, context: RequestContext) {
  const title = objectTitle(AUTO_SNAPSHOT, name);
  const cluster = context.providerData.knownNameOf(given, title, context);
  const identity = { cluster, namespace: normalizeNamespace(namespace), name };
  return storedObject(AUTO_SNAPSHOT_KIND, identity, context);
}

/**
 * Reads the status of a configuration, and the current time in milliseconds since 1970: by the
 * clock of the server that wrote the status if possible, otherwise by the clock of this machine.
 */
export async function statusOf(
  { identity, subject }: ReturnType<typeof snapshotIn>,
  context: RequestContext,
): Promise<{ readonly status: SnapshotStatus | undefined; readonly now: number }> {
  const options = { signal: context.signal };
  const [status, health] = await Promise.all([
    request('read the status of', subject, context, ({ autoSnapshots }) =>
      autoSnapshots.status(identity.name, options),
    ),
    request('read the status of', subject, context, ({ system }) => system.health(options)),
  ]);
  const { server_time_utc: seconds } = health.data;
  return { status: status?.data, now: typeof seconds === 'number' ? seconds * 1000 : Date.now() };
}
