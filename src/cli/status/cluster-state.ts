import type { ReplicationStatus, StoredPathsFilter } from '../../client';
import type { ObjectStates } from './objects';

/** The state of one cluster. What could not be read is absent, and `failures` says why. */
export interface ClusterState extends ObjectStates {
  readonly name: string;
  readonly address: string;
  /** As in `sys/health`: `1.21.0+ent`. */
  readonly version?: string;
  readonly sealed?: boolean;
  /** Whether a token was given. Without one, only replication is read. */
  readonly authenticated?: boolean;
  readonly replication?: ReplicationStatus;
  /** On a primary, by secondary id; null if a secondary has none. */
  readonly paths_filters?: Readonly<Record<string, StoredPathsFilter | null>>;
  readonly failures: readonly Failure[];
}

/** Something that could not be read. */
export interface Failure {
  /** `replication status`, `managed keys`. */
  readonly subject: string;
  readonly message: string;
}
