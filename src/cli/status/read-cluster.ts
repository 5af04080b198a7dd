import { VaultError } from '../../client';
import type { Cluster } from '../../provider/clusters/cluster';
import type { ClusterSettings } from '../../provider/configuration';
import { authorizedClient, rootClient } from '../clusters/clients';
import type { ReadingNotes } from '../clusters/namespaces-of-cluster';
import { canBeAsked, describeUnknown, UNKNOWN_SETTINGS_CURE } from '../clusters/open-clusters';
import { replicationStatus } from '../clusters/replication-status';
import type { ReadFailure } from '../../view/cluster-view';
import type { ClusterState } from './cluster-state';
import { OBJECTS, type ObjectStates } from './objects';
import type { OpenCluster, StatusReadOptions } from './objects/object-status';

/**
 * The timeout in seconds for the first answer of a cluster, if its settings do not specify one.
 * Monitors do not wait longer for a cluster that hangs.
 */
const FIRST_ANSWER_TIMEOUT = 10;

/** Reads the state of a cluster. A failure is recorded, and the rest is read nevertheless. */
export async function readCluster(cluster: Cluster, options: StatusReadOptions): Promise<ClusterState> {
  const { settings } = cluster;
  const failures: ReadFailure[] = [];
  const notes = notesIn(failures);
  const { attempt } = notes;
  const anonymous = cluster.anonymous();
  const base = { name: settings.name, address: anonymous.address, failures };
  if (settings.unknown.length > 0) failures.push(unknownSettings(settings));
  if (!canBeAsked(settings)) return { ...base, address: 'unknown' };

  const health = await attempt('health', () =>
    anonymous.system.health({ timeout: settings.options.timeout ?? FIRST_ANSWER_TIMEOUT }),
  );
  if (!health) return base;
  const { version, sealed } = health.data;
  if (sealed) return { ...base, version, sealed };

  const replication = await attempt('replication status', () => replicationStatus(anonymous));
  const state = { ...base, version, sealed, replication };
  if (settings.unknown.length > 0) return state;
  const client = await attempt('token', () => authorizedClient(cluster));
  if (client === null) {
    // If a monitor lost its token, the status must not look healthy.
    if (!options.public) failures.push(noToken(cluster));
    return { ...state, authenticated: false };
  }
  if (!client) return state;

  const [paths_filters, objects] = await Promise.all([
    replication?.mode === 'primary'
      ? attempt('paths filters', () => readFilters(cluster, replication.known_secondaries))
      : undefined,
    readObjects({ cluster, client, version, notes }, options),
  ]);
  return { ...state, authenticated: true, paths_filters, ...objects };
}

async function readObjects(open: OpenCluster, options: StatusReadOptions): Promise<ObjectStates> {
  const entries = await Promise.all(
    OBJECTS.map(async ({ key, title, read }) => [
      key,
      await open.notes.attempt(title, async () => read(open, options)),
    ]),
  );
  return Object.fromEntries(entries) as ObjectStates;
}

/** Returns notes that add the failures of reads to a list. */
function notesIn(failures: ReadFailure[]): ReadingNotes {
  const note = (subject: string, message: string) => failures.push({ subject, message });
  return {
    note,
    attempt: async <T>(subject: string, read: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await read();
      } catch (error) {
        if (!VaultError.is(error)) throw error;
        note(subject, error.message);
        return undefined;
      }
    },
  };
}

function noToken({ variablePrefix }: Cluster): ReadFailure {
  const message = `none is given; set ${variablePrefix}TOKEN, or pass --public to show only replication`;
  return { subject: 'token', message };
}

function unknownSettings(settings: ClusterSettings): ReadFailure {
  return { subject: 'settings', message: `${describeUnknown(settings)}; ${UNKNOWN_SETTINGS_CURE}` };
}

/**
 * Reads the paths filters, which are in the root namespace. A token of another namespace may not be
 * permitted to read them, which is not a failure.
 */
async function readFilters(cluster: Cluster, ids: readonly string[]) {
  const client = await rootClient(cluster);
  try {
    const filters = await Promise.all(ids.map((id) => client.replication.performance.readPathsFilter(id)));
    return Object.fromEntries(ids.map((id, i) => [id, filters[i]?.data ?? null]));
  } catch (error) {
    const isOfNamespace = (await cluster.client('')).namespace !== '';
    if (isOfNamespace && VaultError.is(error) && error.status === 403) return undefined;
    throw error;
  }
}
