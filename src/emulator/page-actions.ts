import type { ReplicationStatus } from '../model/replication/status';
import { own } from '../text';
import type { ClusterView } from '../view/cluster-view';
import { problemsOfCluster, problemsOfSets } from '../view/find-problems';
import { Distances } from '../view/page/distances';
import { pageState, visibleIn } from '../view/page/page-state';
import type { Cluster } from './cluster';
import type { Clusters } from './control/control-api';
import { showFault } from './control/fault-fields';
import type { Faults } from './control/faults';
import type { RequestLog } from './control/request-log';
import type { MovableClock } from './core/primitives/clock';
import type { KeyTests } from './managed-keys';
import { objectsOf } from './page-objects';
import type { ReplicationControl } from './replication/control';

/**
 * The number of missing entries above which a secondary counts as delayed. Emulated clusters have
 * few writes at a time.
 */
const MAX_WAL_DISTANCE = 10;

/** The number of latest requests that the page shows. */
const SHOWN_REQUESTS = 50;

interface Shown {
  readonly clusters: Clusters;
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

function viewOf({ name, sealed, nodes, server, replication }: Cluster): ClusterView {
  const view = { name, address: nodes.all[0]!.address, version: server.version, sealed, failures: [] };
  if (sealed) return view;
  if (!server.enterprise) return { ...view, replication: { mode: 'unsupported' } };
  // The conversion changes only the types of times, which the page does not show.
  const status = JSON.parse(JSON.stringify(replication.status())) as ReplicationStatus;
  if (status.mode !== 'primary') return { ...view, replication: status };
  const filters = status.known_secondaries.map((id) => [id, replication.primary.filter(id) ?? null] as const);
  return { ...view, replication: status, paths_filters: Object.fromEntries(filters) };
}
