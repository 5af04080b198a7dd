import type { ClusterView } from '../../view/cluster-view';
import type { ObjectStates } from './objects';

/** The objects that a secondary has and its primary lacks, by kind. */
export interface Lacking {
  /** The name of the secondary. */
  readonly than: string;
  readonly auto_snapshots: readonly string[];
  readonly audit_devices: readonly string[];
}

/** The state of one cluster. */
export interface ClusterState extends ClusterView, ObjectStates {
  /** Whether a token was given. Without one, only replication is read. */
  readonly authenticated?: boolean;
  /** The objects that a secondary has and this primary lacks; absent if there are none. */
  readonly lacking?: readonly Lacking[];
}
