import { type LogicalRequest, type Route, route } from '../core/backend';
import { invalidRequest } from '../core/errors';
import {
  packSnapshot,
  readSnapshot,
  type Snapshot,
  SnapshotError,
  type SnapshotHost,
  takeSnapshot,
} from './archive';

/** A cluster whose data can be downloaded and restored. */
interface Restorable extends SnapshotHost {
  restore(snapshot: Snapshot): void;
}

const FILE_HEADERS = { 'Content-Disposition': 'attachment' };

/** Routes that download the data of the whole cluster, and restore a downloaded snapshot. */
export function raftSnapshotRoutes(cluster: Restorable): readonly Route[] {
  const restore = async (
    { content }: Pick<LogicalRequest, 'content'>,
    force: boolean,
  ): Promise<undefined> => {
    if (content === undefined || content.length === 0) throw invalidRequest('no snapshot was sent');
    cluster.restore(await restorable(cluster, content, force));
  };
  return [
    route({
      pattern: 'storage/raft/snapshot',
      rootNamespaceOnly: true,
      operations: {
        read: async () => {
          const file = await packSnapshot(takeSnapshot(cluster, cluster.clock.now()), cluster.unsealKey);
          return {
            raw: { status: 200, contentType: 'application/gzip', body: '', file, headers: FILE_HEADERS },
          };
        },
        update: (request) => restore(request, false),
      },
      help: { synopsis: 'Downloads a snapshot of the cluster, and restores one.' },
    }),
    route({
      pattern: 'storage/raft/snapshot-force',
      rootNamespaceOnly: true,
      operations: { update: (request) => restore(request, true) },
      help: { synopsis: 'Restores a snapshot, also one of another cluster with the same unseal key.' },
    }),
  ];
}

/**
 * @throws LogicalError 400 if the content is not a snapshot, or of another cluster and `force` is
 *   not set.
 */
async function restorable({ id, unsealKey }: Restorable, content: Buffer, force: boolean): Promise<Snapshot> {
  try {
    const snapshot = await readSnapshot(content, unsealKey);
    if (snapshot.meta.ClusterID === id || force) return snapshot;
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    if (!error.otherKey || force) throw invalidRequest(error.message);
  }
  throw invalidRequest(
    'could not verify hash file, possibly the snapshot is using a different set of unseal keys; use the snapshot-force ' +
      'API to bypass this check',
  );
}
