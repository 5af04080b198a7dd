import type { ReplicationStatus } from '../model/replication/status';

/** What is known of a cluster. What could not be read is absent, and `failures` says why. */
export interface ClusterView {
  readonly name: string;
  readonly address: string;
  /** As in `sys/health`: `1.21.0+ent`. */
  readonly version?: string;
  readonly sealed?: boolean;
  readonly replication?: ReplicationStatus;
  /** On a primary, by secondary id; null if a secondary has none. */
  readonly paths_filters?: Readonly<Record<string, FilterView | null>>;
  readonly failures: readonly Failure[];
}

export interface FilterView {
  readonly mode: string;
  readonly paths: readonly string[];
}

/** Something that could not be read. */
export interface Failure {
  /** `replication status`, `managed keys`. */
  readonly subject: string;
  readonly message: string;
}
