import { snapshotHealth } from '../model';
import { keyDoesNotSign, keyTitle, snapshotProblem } from '../view/messages';
import type { Problem } from '../view/find-problems';
import { snapshotState, type KeyTest, type SnapshotState } from '../view/page/page-state';
import { snapshotStatus } from './auto-snapshots';
import type { Cluster } from './cluster';
import { type KeyTests, ManagedKeyStore } from './managed-keys';

/** The objects of a cluster that the page shows. */
interface ShownObjects {
  readonly keys: readonly KeyTest[];
  readonly snapshots: readonly SnapshotState[];
  readonly problems: readonly Problem[];
}

/** Returns the managed keys and automated snapshots of a cluster. */
export function objectsOf(cluster: Cluster, tests: KeyTests): ShownObjects {
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

function keysOf({ name: cluster, namespaces, storage }: Cluster, tests: KeyTests) {
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

function snapshotsOf({ name: cluster, clock, snapshots: { store } }: Cluster) {
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
