import type { ClusterParts } from '../core/parts';

/** What the snapshots of a cluster are taken of. */
export interface SnapshotHost extends Pick<ClusterParts, 'id' | 'name' | 'clock' | 'storage' | 'sealed'> {
  /** In base64. */
  readonly unsealKey: string;
}
