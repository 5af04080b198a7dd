import { snapshotHealth, type SnapshotStatus } from '../model';
import { keyDoesNotSign, snapshotsUnhealthy } from '../view/messages';
import type { Problem } from '../view/find-problems';
import type { KeyTest, SnapshotState } from '../view/page/page-state';
import type { Cluster } from './cluster';
import { type KeyTests, ManagedKeyStore } from './managed-keys';

/** What the page shows of the objects of a cluster. */
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
      const shown: KeyTest = { cluster, name: within === '' ? key : `${within}//${key}`, ...test };
      return { shown, problem: test?.error && keyDoesNotSign(key, within, test.error) };
    }),
  );
}

function snapshotsOf({ name: cluster, clock, snapshots: { store } }: Cluster) {
  return store.names().flatMap((name) => {
    const [config, progress] = [store.config(name), store.progress(name)];
    if (config === undefined || progress === undefined) return [];
    // The progress of an earlier version has no size.
    const { last, since, errors, lastUrl: url, lastBytes: bytes = null } = progress;
    const next = new Date(since + config.interval * 1000).toISOString();
    const status: SnapshotStatus = {
      next_snapshot_start: next,
      ...(last !== null && {
        consecutive_errors: errors,
        last_snapshot_end: new Date(last.end).toISOString(),
        last_snapshot_error: last.error,
      }),
    };
    const { state, reasons } = snapshotHealth(status, config.interval, clock.now());
    const shown: SnapshotState = {
      cluster,
      name,
      state,
      ...(last !== null && { lastAt: last.end }),
      ...(url !== '' && { url }),
      ...(bytes !== null && { bytes }),
    };
    const isUnhealthy = state === 'failing' || state === 'overdue';
    return [{ shown, problem: isUnhealthy ? snapshotsUnhealthy(name, reasons) : undefined }];
  });
}
