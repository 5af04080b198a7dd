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
import {
  nothingToRead,
  reportFindings,
  request,
  storedObject,
  type ObjectSubject,
  type RequestContext,
} from '../objects';
import { NOTHING_TOLD, STATUS_ATTRIBUTES } from './status-schema';
import { AUTO_SNAPSHOT_KIND } from './auto-snapshot-resource';

/**
 * The data source on the health of snapshots. Failed snapshots are not an error: a `check` block
 * decides what they mean.
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
    const { name, namespace, max_intervals, max_errors } = config;
    const cluster = context.providerData.knownNameOf(
      config.cluster,
      objectTitle(AUTO_SNAPSHOT, name),
      context,
    );
    const identity = { cluster, namespace: normalizeNamespace(namespace), name };
    const snapshot = storedObject(AUTO_SNAPSHOT_KIND, identity, context);

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
      ...AUTO_SNAPSHOT_KIND.placing.locationOf(identity),
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

export async function statusOf(
  subject: ObjectSubject,
  name: string,
  context: RequestContext,
): Promise<SnapshotStatus | undefined> {
  const response = await request('read the status of', subject, context, ({ autoSnapshots }) =>
    autoSnapshots.status(name, { signal: context.signal }),
  );
  return response?.data;
}

/**
 * The time in milliseconds since 1970, by the clock of the server that wrote the status, or else of
 * this machine.
 */
export async function serverTime(subject: ObjectSubject, context: RequestContext): Promise<number> {
  const { data } = await request('read the status of', subject, context, ({ system }) =>
    system.health({ signal: context.signal }),
  );
  const { server_time_utc: seconds } = data;
  return typeof seconds === 'number' ? seconds * 1000 : Date.now();
}
