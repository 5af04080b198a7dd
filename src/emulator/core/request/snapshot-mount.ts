import { codedError, openRefusal, unsupportedOperation } from '../errors';
import type { ClusterParts } from './parts';
import type { Mounted } from '../routing/mounts';

/**
 * Returns a mount with its content in a loaded snapshot. A mount that was created after the
 * snapshot, even at the same path, has no content in it.
 *
 * @throws LogicalError if the mount cannot be read from snapshots, or the snapshot is not ready.
 */
export function mountInSnapshot(cluster: ClusterParts, { entry, backend }: Mounted, id: string): Mounted {
  if (backend.recoverable !== true) throw unsupportedOperation();
  if (cluster.replication.mode === 'secondary' && !entry.local) {
    throw openRefusal('loadedSnapshots', `${entry.path} is not a local mount: use the primary`);
  }
  return cluster.mounts.over(entry, cluster.loadedSnapshot(id));
}

export function noDataInSnapshot(): Error {
  return codedError(400, 'no data in the snapshot');
}
