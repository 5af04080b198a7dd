import type { ReplicationStatus, StoredPathsFilter } from '../../client';
import type { ManagedKeyTypeName, SnapshotHealth, SnapshotStatus } from '../../model';

/** What was found out about one cluster. What could not be read is absent, and says why among the `failures`. */
export interface ClusterState {
  readonly name: string;
  readonly address: string;
  /** As in `sys/health`: `1.21.0+ent`. */
  readonly version?: string;
  readonly sealed?: boolean;
  /** Whether a token was given. Without one nothing is told of filters, keys and snapshots. */
  readonly authenticated?: boolean;
  readonly replication?: ReplicationStatus;
  /** On a primary, by the secondaries' ids; null where a secondary has none. */
  readonly paths_filters?: Readonly<Record<string, StoredPathsFilter | null>>;
  readonly managed_keys?: readonly KeyState[];
  readonly auto_snapshots?: readonly SnapshotState[];
  readonly failures: readonly Failure[];
}

export interface KeyState {
  /** Empty for the namespace of the cluster's settings. */
  readonly namespace: string;
  readonly type: ManagedKeyTypeName;
  readonly name: string;
  /** Of a test signature, where one was asked for: null if it was made and verified, else the server's reason. */
  readonly test_sign_error?: string | null;
}

export interface SnapshotState {
  readonly name: string;
  readonly status: SnapshotStatus;
  readonly health: SnapshotHealth;
}

/** Something that could not be read. */
export interface Failure {
  /** `replication status`, `managed keys`. */
  readonly subject: string;
  readonly message: string;
}
