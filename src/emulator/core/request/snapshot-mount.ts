import { codedError, openRefusal, unsupportedOperation } from '../errors';
import type { ClusterParts } from './parts';
import type { Mounted } from '../routing/mounts';

/**
 * A mount as it was in a loaded snapshot. A mount that was made since then, be it at the same path, held nothing.
 *
 * @throws LogicalError if it cannot be read from snapshots, here or at all, or if the snapshot is not ready.
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
