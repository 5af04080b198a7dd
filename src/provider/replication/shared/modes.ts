import type { ReplicationStatus } from '../../../client';
import type { Message } from '../../../model/messages';

/** Whether replication is disabled, as before a cluster is enabled and after it has left. */
export function isDisabled(
  status: ReplicationStatus,
): status is ReplicationStatus & { readonly mode: 'disabled' } {
  return status.mode === 'disabled';
}

/** @param cluster the name of the cluster in the message */
export function cannotReplicate(cluster: string): Message {
  return {
    summary: `${cluster} cannot replicate: its storage does not support it`,
    cures: 'move the cluster to a storage that supports replication, such as integrated storage (Raft)',
  };
}
