import { VaultError, type AuditDevice, type VaultClient } from '../../client';
import { MANAGED_KEY_TYPES, snapshotHealth, type ManagedKeyTypeName } from '../../model';
import type { Cluster } from '../../provider/clusters/cluster';
import type { ClusterSettings } from '../../provider/configuration';
import { authorizedClient, rootClient, unlessDenied } from '../clusters/clients';
import { canBeAsked, describeUnknown, UNKNOWN_SETTINGS_CURE } from '../clusters/open-clusters';
import { isEnterprise, replicationStatus } from '../clusters/replication-status';
import type { ClusterState, Failure, KeyState, SnapshotState } from './cluster-state';

/** Seconds for the first answer of a cluster whose settings give no time: monitors do not wait longer for one that hangs. */
const FIRST_ANSWER_TIMEOUT = 10;

interface ReadOptions {
  /** Where managed keys are looked for, relative to the namespace of the cluster's settings. */
  readonly namespaces: readonly string[];
  /** Whether every managed key makes a test signature. This may generate a missing key. */
  readonly testKeys: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Reads the state of a cluster. A failure is recorded, and the rest is read nevertheless. */
export async function readCluster(cluster: Cluster, options: ReadOptions): Promise<ClusterState> {
  const { settings } = cluster;
  const failures: Failure[] = [];
  const attempt = attempting(failures);
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
  if (!client) return client === null ? { ...state, authenticated: false } : state;

  const [filters, keys, snapshots, devices] = await Promise.all([
    replication?.mode === 'primary'
      ? attempt('paths filters', () => readFilters(cluster, replication.known_secondaries))
      : undefined,
    attempt('managed keys', async () => (isEnterprise(version) ? readKeys(cluster, options) : [])),
    attempt('automated snapshots', async () => (await ifOffered(readSnapshots(client, options.now))) ?? []),
    attempt('audit devices', () => readAuditDevices(client)),
  ]);
  return {
    ...state,
    authenticated: true,
    paths_filters: filters,
    managed_keys: keys,
    auto_snapshots: snapshots,
    ...(devices && { audit_devices: devices }),
  };
}

/** Makes failures of the server something to report. */
function attempting(failures: Failure[]) {
  return async <T>(subject: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!VaultError.is(error)) throw error;
      failures.push({ subject, message: error.message });
      return undefined;
    }
  };
}

function unknownSettings(settings: ClusterSettings): Failure {
  return { subject: 'settings', message: `${describeUnknown(settings)}; ${UNKNOWN_SETTINGS_CURE}` };
}

/** Filters are in the root namespace. A token for another one may not read them; that is not a failure. */
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

async function readKeys(cluster: Cluster, options: ReadOptions): Promise<readonly KeyState[]> {
  const byNamespace = await Promise.all(
    options.namespaces.map(async (namespace) => {
      const client = await cluster.client(namespace);
      const { data: names } = await client.managedKeys.listAll();
      const keys = MANAGED_KEY_TYPES.flatMap((type) =>
        names[type].map((name) => ({ namespace, type, name })),
      );
      return options.testKeys ? Promise.all(keys.map((key) => testKey(client, key))) : keys;
    }),
  );
  return byNamespace.flat();
}

async function testKey(
  client: VaultClient,
  key: { namespace: string; type: ManagedKeyTypeName; name: string },
): Promise<KeyState> {
  try {
    await client.managedKeys.testSign(key.type, key.name);
    return { ...key, test_sign_error: null };
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    return { ...key, test_sign_error: error.message };
  }
}

async function readSnapshots(client: VaultClient, now: number): Promise<readonly SnapshotState[]> {
  const names = await client.autoSnapshots.list();
  return Promise.all(
    names.data.keys.map(async (name) => {
      const [configuration, status] = await Promise.all([
        client.autoSnapshots.read(name),
        client.autoSnapshots.status(name),
      ]);
      const told = status?.data ?? {};
      return { name, status: told, health: snapshotHealth(told, configuration?.data.interval ?? 0, now) };
    }),
  );
}

/** Servers show audit devices in the root namespace, to tokens with sudo. */
async function readAuditDevices(client: VaultClient): Promise<readonly AuditDevice[] | undefined> {
  return (await ifOffered(unlessDenied(client.auditDevices.readAll())))?.data;
}

/** Snapshots are for the root namespace, and for servers that store in Raft. */
async function ifOffered<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'unsupported_path') throw error;
    return undefined;
  }
}
