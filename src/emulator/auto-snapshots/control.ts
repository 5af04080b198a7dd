import type { ClusterParts } from '../core/parts';
import { SnapshotRecords } from './records';

/** What the control API tells of snapshots: those that were recorded for want of an endpoint. */
export const SNAPSHOT_ACTIONS = {
  'GET snapshots': ({ cluster }: { readonly cluster: Pick<ClusterParts, 'storage'> }) => ({
    snapshots: new SnapshotRecords(cluster.storage).list(),
  }),
};
