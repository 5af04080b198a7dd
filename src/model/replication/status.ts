/** The performance replication status of a cluster, by mode. */
export type ReplicationStatus =
  ReplicationOff | ReplicationInBetween | ReplicationPrimaryStatus | ReplicationSecondaryStatus;

/** The status of a cluster without replication, or whose storage cannot replicate. */
export interface ReplicationOff {
  readonly mode: 'disabled' | 'unsupported';
}

/** The status of a cluster that is between two modes, or does not know its own. */
export interface ReplicationInBetween {
  readonly mode: 'bootstrapping' | 'unknown';
}

/**
 * The status that primary and secondary have in common. Fields that a server does not know are
 * undefined.
 */
interface ReplicationOn {
  /**
   * `running` on a primary; `stream-wals`, `merkle-diff`, `merkle-sync` or `idle` on a secondary.
   */
  readonly state: string;
  /** The id of the replication set: the same on the primary and all its secondaries. */
  readonly cluster_id: string;
  /**
   * On a primary: the address with which it was enabled, empty for the server's own. On a
   * secondary: the address used first.
   */
  readonly primary_cluster_addr: string;
  /**
   * The root of the merkle tree: 40 hexadecimal digits. Equal on both sides once all data has
   * arrived.
   */
  readonly merkle_root?: string;
  /** Whether the merkle tree is corrupted. Reported since 1.15.0, 1.14.3 and 1.13.7. */
  readonly corrupted_merkle_tree?: boolean;
  /** The time of the last check, in seconds since 1970. Absent: never. */
  readonly last_corruption_check_epoch?: number;
  /** The time of the last reindex, in seconds since 1970. Absent: never. */
  readonly last_reindex_epoch?: number;
  readonly ssct_generation_counter?: number;
}

export interface ReplicationPrimaryStatus extends ReplicationOn {
  readonly mode: 'primary';
  /** The ids of all activation tokens that were issued and not revoked, used or not. */
  readonly known_secondaries: readonly string[];
  readonly secondaries: readonly ReplicationSecondaryConnection[];
  /** The number of the last entry of the write-ahead log. */
  readonly last_wal?: number;
  /** The number of the last entry that is replicated to secondaries. */
  readonly last_performance_wal?: number;
}

export interface ReplicationSecondaryStatus extends ReplicationOn {
  readonly mode: 'secondary';
  /** The id for which its activation token was issued. Empty after a demotion. */
  readonly secondary_id: string;
  /** `ready`, `connecting`, `idle`, `transient_failure` or `shutdown`. */
  readonly connection_state?: string;
  readonly known_primary_cluster_addrs: readonly string[];
  readonly primaries: readonly ReplicationConnection[];
  /** The number of the last entry of the primary's write-ahead log that has arrived. */
  readonly last_remote_wal?: number;
  /** The time of the last start, in RFC 3339. */
  readonly last_start?: string;
  /** The progress of a copy of all data. Absent if none is under way. */
  readonly merkle_sync_progress?: ReplicationSyncProgress;
}

/** The other side of a connection, as a primary or a secondary reports it. */
export interface ReplicationConnection {
  /** `connected` or `disconnected`. */
  readonly connection_status: string;
  readonly api_address?: string;
  readonly cluster_address?: string;
  /** The time of the last heartbeat, in RFC 3339. */
  readonly last_heartbeat?: string;
  readonly last_heartbeat_duration_ms?: number;
  readonly clock_skew_ms?: number;
  /** The age of the canary. Reported since about 1.17. */
  readonly replication_primary_canary_age_ms?: number;
}

export interface ReplicationSecondaryConnection extends ReplicationConnection {
  /** The secondary's id. */
  readonly node_id: string;
}

export interface ReplicationSyncProgress {
  readonly sync_total_keys?: number;
  readonly sync_progress?: number;
}

/** Whether a cluster is a secondary that follows its primary's log. */
export function isStreaming(status: ReplicationStatus): status is ReplicationSecondaryStatus {
  if (status.mode !== 'secondary' || status.state !== 'stream-wals') return false;
  const { connection_state: connection = 'ready', primaries } = status;
  if (connection === 'ready') return true;
  // A connection of a secondary that streams may be idle between two messages.
  return (
    connection === 'idle' && primaries.some(({ connection_status }) => connection_status === 'connected')
  );
}

/**
 * Whether a secondary has received everything that the primary had written when its status was
 * read. Its position in the WAL or an equal merkle root shows this: after a copy of all data, the
 * position stays 0 until the next write.
 */
export function hasCaughtUp(
  secondary: ReplicationSecondaryStatus,
  primary: ReplicationPrimaryStatus,
): boolean {
  if (!isStreaming(secondary)) return false;
  const { last_performance_wal: written } = primary;
  if (written !== undefined && (secondary.last_remote_wal ?? 0) >= written) return true;
  return haveSameData(secondary, primary);
}

/** Whether both clusters report the same merkle root. */
export function haveSameData(a: ReplicationStatus, b: ReplicationStatus): boolean {
  const [one, other] = [rootOf(a), rootOf(b)];
  return one !== undefined && one === other;
}

/** Returns the merkle root of all replicated data; `undefined` if the server does not report it. */
export function rootOf(status: ReplicationStatus): string | undefined {
  return 'merkle_root' in status && status.merkle_root !== '' ? status.merkle_root : undefined;
}

/**
 * Returns a short text of a status for logs and messages: `secondary "eu-1", merkle-sync,
 * connection ready, WAL 410`.
 */
export function describeReplicationStatus(status: ReplicationStatus): string {
  switch (status.mode) {
    case 'primary':
      return `primary, ${status.state}${wal(status.last_performance_wal ?? status.last_wal)}`;
    case 'secondary': {
      const { secondary_id: id, state, connection_state: connection, merkle_sync_progress: sync } = status;
      const name = id === '' ? 'secondary' : `secondary ${JSON.stringify(id)}`;
      const copied = sync ? `, ${sync.sync_progress ?? 0} of ${sync.sync_total_keys ?? '?'} keys` : '';
      return `${name}, ${state}, connection ${connection ?? 'unknown'}${wal(status.last_remote_wal)}${copied}`;
    }
    default:
      return status.mode;
  }
}

function wal(number: number | undefined): string {
  return number === undefined ? '' : `, WAL ${number}`;
}
