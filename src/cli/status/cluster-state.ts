import type { ClusterView } from '../../view/cluster-view';
import type { ObjectStates } from './objects';

/** The state of one cluster. */
export interface ClusterState extends ClusterView, ObjectStates {
  /** Whether a token was given. Without one, only replication is read. */
  readonly authenticated?: boolean;
}
