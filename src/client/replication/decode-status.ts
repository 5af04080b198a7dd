import { NEVER_EPOCH, OTHER_STATUS_MODES } from '../../model';
import { isRecord } from '../../text';
import { isList, texts } from '../answer/answer';
import type { Data } from '../answer/responses';
import type {
  ReplicationConnection,
  ReplicationPrimaryStatus,
  ReplicationSecondaryConnection,
  ReplicationSecondaryStatus,
  ReplicationStatus,
} from '../../model/replication/status';

/**
 * Decodes a status of the server, which has numbers in texts, and the year 1 for never. Fields that
 * newer servers add are left out.
 *
 * @returns `undefined` if it is not the status of a known mode.
 */
export function decodeReplicationStatus(data: Data): ReplicationStatus | undefined {
  if (data.mode === 'primary' || data.mode === 'secondary') {
    // Without the id of its set, a member would be taken for one of another set.
    if (!text(data.cluster_id)) return { mode: 'unknown' };
    return data.mode === 'primary' ? primaryStatus(data) : secondaryStatus(data);
  }
  const mode = MODES_WITHOUT_MORE.find((each) => each === data.mode);
  return mode && { mode };
}

/** The modes whose status has no further fields. */
const MODES_WITHOUT_MORE = ['disabled', ...OTHER_STATUS_MODES] as const;

function primaryStatus(data: Data): ReplicationPrimaryStatus {
  return {
    mode: 'primary',
    ...common(data),
    known_secondaries: texts(data.known_secondaries),
    secondaries: objects(data.secondaries).map(secondaryConnection),
    last_wal: number(data.last_wal),
    last_performance_wal: number(data.last_performance_wal),
  };
}

function secondaryStatus(data: Data): ReplicationSecondaryStatus {
  return {
    mode: 'secondary',
    ...common(data),
    secondary_id: text(data.secondary_id) ?? '',
    connection_state: text(data.connection_state)?.toLowerCase(),
    known_primary_cluster_addrs: texts(data.known_primary_cluster_addrs),
    primaries: objects(data.primaries).map(connection),
    last_remote_wal: number(data.last_remote_wal),
    last_start: text(data.last_start),
    ...(isRecord(data.merkle_sync_progress) && {
      merkle_sync_progress: {
        sync_total_keys: number(data.merkle_sync_progress.sync_total_keys),
        sync_progress: number(data.merkle_sync_progress.sync_progress),
      },
    }),
  };
}

function common(data: Data) {
  return {
    state: text(data.state) ?? '',
    cluster_id: text(data.cluster_id) ?? '',
    primary_cluster_addr: text(data.primary_cluster_addr) ?? '',
    merkle_root: text(data.merkle_root),
    corrupted_merkle_tree: flag(data.corrupted_merkle_tree),
    last_corruption_check_epoch: epoch(data.last_corruption_check_epoch),
    last_reindex_epoch: epoch(data.last_reindex_epoch),
    ssct_generation_counter: number(data.ssct_generation_counter),
  };
}

function connection(data: Data): ReplicationConnection {
  return {
    connection_status: text(data.connection_status) ?? '',
    api_address: text(data.api_address) || undefined,
    cluster_address: text(data.cluster_address) || undefined,
    last_heartbeat: time(data.last_heartbeat),
    last_heartbeat_duration_ms: number(data.last_heartbeat_duration_ms),
    clock_skew_ms: number(data.clock_skew_ms),
    replication_primary_canary_age_ms: number(data.replication_primary_canary_age_ms),
  };
}

function secondaryConnection(data: Data): ReplicationSecondaryConnection {
  return { node_id: text(data.node_id) ?? '', ...connection(data) };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a time; `undefined` for Go's zero time in the year 1, which means never. */
function time(value: unknown): string | undefined {
  const given = text(value);
  return given === undefined || given === '' || given.startsWith('0001-') ? undefined : given;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns a number, which may be in a text. */
function number(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const decoded = typeof value === 'string' || typeof value === 'bigint' ? Number(value) : value;
  return typeof decoded === 'number' && Number.isFinite(decoded) ? decoded : undefined;
}

function epoch(value: unknown): number | undefined {
  const seconds = number(value);
  return seconds === NEVER_EPOCH ? undefined : seconds;
}

function objects(value: unknown): readonly Data[] {
  return isList(value) ? value.filter(isRecord) : [];
}
