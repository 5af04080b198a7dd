import type { AuditDevice, ReplicationStatus, StoredPathsFilter } from '../../client';
import type { ManagedKeyTypeName, SnapshotHealth, SnapshotStatus } from '../../model';

/** The state of one cluster. What could not be read is absent, and `failures` says why. */
export interface ClusterState {
  readonly name: string;
  readonly address: string;
  /** As in `sys/health`: `1.21.0+ent`. */
  readonly version?: string;
  readonly sealed?: boolean;
  /** Whether a token was given. Without one, filters, keys and snapshots are not read. */
  readonly authenticated?: boolean;
  readonly replication?: ReplicationStatus;
  /** On a primary, by secondary id; null if a secondary has none. */
  readonly paths_filters?: Readonly<Record<string, StoredPathsFilter | null>>;
  readonly managed_keys?: readonly KeyState[];
  readonly auto_snapshots?: readonly SnapshotState[];
  /** Absent also if the token may not read them. */
  readonly audit_devices?: readonly AuditDevice[];
  readonly failures: readonly Failure[];
}

export interface KeyState {
  /** Empty for the namespace of the cluster's settings. */
  readonly namespace: string;
  readonly type: ManagedKeyTypeName;
  readonly name: string;
  /** The result of a test signature, if requested: null if it succeeded, otherwise the server's reason. */
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
