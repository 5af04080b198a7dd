import type { ReplicationStatus } from '../model/replication/status';
import { own } from '../text';
import type { ClusterView } from '../view/cluster-view';
import { problemsOfCluster, problemsOfSets, type ClusterProblem } from '../view/find-problems';
import { Distances } from '../view/page/distances';
import {
  pageState,
  visibleIn,
  snapshotState,
  type KeyTest,
  type SnapshotState,
} from '../view/page/page-state';
import type { EmulatedCluster } from './cluster';
import type { EmulatedClusters } from './control/control-api';
import { showFault } from './control/fault-fields';
import type { Faults } from './control/faults';
import type { RequestLog } from './control/request-log';
import type { MovableClock } from './core/primitives/clock';
import { type KeyTests, ManagedKeyStore } from './managed-keys';
import type { ReplicationControl } from './replication/control';
import { snapshotHealth } from '../model';
import { keyDoesNotSign, keyTitle, snapshotProblem } from '../view/messages';
import { snapshotStatus } from './auto-snapshots';

/** The objects of a cluster that the page shows. */
interface ShownObjects {
  readonly keys: readonly KeyTest[];
  readonly snapshots: readonly SnapshotState[];
  readonly problems: readonly ClusterProblem[];
}

/**
 * The number of missing entries above which a secondary counts as delayed. Emulated clusters have
 * few writes at a time.
 */
const MAX_WAL_DISTANCE = 10;

/** The number of latest requests that the page shows. */
const SHOWN_REQUESTS = 50;

interface Shown {
  readonly clusters: EmulatedClusters;
  readonly replication: ReplicationControl;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly clock: MovableClock;
  readonly keyTests: KeyTests;
}

/** The actions of the control API that the emulator's page calls repeatedly. */
export function pageActions({ clusters, replication, faults, log, clock, keyTests }: Shown) {
  const distances = new Distances();
  return {
    'GET page': () => {
      const views = [...clusters.values()].map(({ cluster }) => viewOf(cluster));
      const objects = [...clusters.values()].map(({ cluster }) => objectsOf(cluster, keyTests));
      const problems = [
        ...problemsOfSets(views),
        ...views.flatMap((view) =>
          problemsOfCluster(view, views, MAX_WAL_DISTANCE).map((text) => ({ cluster: view.name, text })),
        ),
        ...objects.flatMap((each) => each.problems),
      ];
      // The rates are per second of real time, even if the clusters' clock is moved.
      distances.add(Date.now(), views);
      const { partitions, lags } = replication.state();
      return {
        ...pageState({
          time: clock.now(),
          clusters: views,
          problems,
          keys: objects.flatMap(({ keys }) => keys),
          snapshots: objects.flatMap(({ snapshots }) => snapshots),
          distances,
        }),
        clusters: views.map(({ name, address, sealed, replication: status }) => ({
          name,
          address,
          sealed,
          mode: status?.mode,
          lag: own(lags, name),
          faults: faults
            .list()
            .filter(({ fault }) => fault.cluster === undefined || fault.cluster === name)
            .map(showFault),
        })),
        partitions,
        frozen: clock.frozen,
        requests: visibleIn(log.list().slice(-SHOWN_REQUESTS).reverse()),
      };
    },
  };
}

function viewOf({ name, sealed, nodes, server, replication }: EmulatedCluster): ClusterView {
  const view = { name, address: nodes.all[0]!.address, version: server.version, sealed, failures: [] };
  if (sealed) return view;
  if (!server.enterprise) return { ...view, replication: { mode: 'unsupported' } };
  // The conversion changes only the types of times, which the page does not show.
  const status = JSON.parse(JSON.stringify(replication.status())) as ReplicationStatus;
  if (status.mode !== 'primary') return { ...view, replication: status };
  const filters = status.known_secondaries.map((id) => [id, replication.primary.filter(id) ?? null] as const);
  return { ...view, replication: status, paths_filters: Object.fromEntries(filters) };
}

/** Returns the managed keys and automated snapshots of a cluster. */
function objectsOf(cluster: EmulatedCluster, tests: KeyTests): ShownObjects {
  if (cluster.sealed || !cluster.server.enterprise) return { keys: [], snapshots: [], problems: [] };
  const keys = keysOf(cluster, tests);
  const snapshots = snapshotsOf(cluster);
  return {
    keys: keys.map(({ shown }) => shown),
    snapshots: snapshots.map(({ shown }) => shown),
    problems: [...keys, ...snapshots].flatMap(({ problem }) =>
      problem === undefined ? [] : [{ cluster: cluster.name, text: problem }],
    ),
  };
}

function keysOf({ name: cluster, namespaces, storage }: EmulatedCluster, tests: KeyTests) {
  const store = new ManagedKeyStore(storage);
  return namespaces.all().flatMap((namespace) =>
    store.all(namespace).map((entry) => {
      const key = `${entry.type}/${entry.name}`;
      const within = namespace.path.replace(/\/$/, '');
      const test = tests.of(cluster, entry);
      const shown: KeyTest = { cluster, name: keyTitle(key, within), ...test };
      return { shown, problem: test?.error && keyDoesNotSign(key, within, test.error) };
    }),
  );
}

function snapshotsOf({ name: cluster, clock, snapshots: { store } }: EmulatedCluster) {
  return store.names().flatMap((name) => {
    const status = snapshotStatus(store, name);
    if (status === undefined) return [];
    const health = snapshotHealth(status, store.config(name)?.interval ?? 0, clock.now());
    // Progress that an earlier version stored has no size.
    const bytes = store.progress(name)?.lastBytes ?? undefined;
    const shown: SnapshotState = {
      ...snapshotState(cluster, { name, status, health }),
      ...(bytes !== undefined && { bytes }),
    };
    return [{ shown, problem: snapshotProblem(name, health) }];
  });
}
