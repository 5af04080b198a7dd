import type { ReplicationStatus } from '../model/replication/status';

/**
 * The known state of a cluster. Parts that could not be read are absent, with the reason in
 * `failures`.
 */
export interface ClusterView {
  readonly name: string;
  readonly address: string;
  /** The version as in `sys/health`: `1.21.0+ent`. */
  readonly version?: string;
  readonly sealed?: boolean;
  readonly replication?: ReplicationStatus;
  /** The paths filters of a primary by secondary id; null for a secondary without one. */
  readonly paths_filters?: Readonly<Record<string, FilterView | null>>;
  readonly failures: readonly ReadFailure[];
}

export interface FilterView {
  readonly mode: string;
  readonly paths: readonly string[];
}

/** A part that could not be read. */
export interface ReadFailure {
  /** The part: `replication status`, `managed keys`. */
  readonly subject: string;
  readonly message: string;
}
