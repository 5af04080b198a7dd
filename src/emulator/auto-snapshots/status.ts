import type { SnapshotStatus } from '../../model';
import type { LogicalResponse } from '../core/backend';
import { timestamp } from '../core/primitives/clock';
import type { LoadedSnapshots } from './loaded';
import type { SnapshotStore } from './store';
import type { SnapshotWire } from './wire';
import { missingEndpoint } from './targets/targets';

/**
 * Returns the status of a configuration; `undefined` for an unknown name. Before the first attempt,
 * the status is only the time at which that is due.
 */
export function describeStatus(
  { store, loaded }: { readonly store: SnapshotStore; readonly loaded: LoadedSnapshots },
  wire: SnapshotWire,
  name: string,
): LogicalResponse | undefined {
  const config = store.config(name);
  const status = snapshotStatus(store, name);
  if (config === undefined || status === undefined) return undefined;
  if (status.last_snapshot_end === undefined) return { data: status };
  const endpoint = missingEndpoint(config);
  return {
    data: { ...status, ...(config.autoload_enabled === true && loadedStatus(loaded, name)) },
    ...(endpoint !== undefined && { warnings: [wire.text(recordedOnly(endpoint))] }),
  };
}

/** Returns the status without the loaded snapshot; `undefined` for an unknown name. */
export function snapshotStatus(
  store: SnapshotStore,
  name: string,
): Omit<SnapshotStatus, keyof LoadedStatus> | undefined {
  const config = store.config(name);
  const progress = store.progress(name);
  if (config === undefined || progress === undefined) return undefined;
  const { last, current, since, errors, lastUrl } = progress;
  const next_snapshot_start = timestamp(since + config.interval * 1000);
  if (last === null) return { next_snapshot_start };
  const status: Required<Omit<SnapshotStatus, keyof LoadedStatus>> = {
    consecutive_errors: errors,
    last_snapshot_start: timestamp(last.start),
    last_snapshot_end: timestamp(last.end),
    last_snapshot_error: last.error,
    last_snapshot_url: lastUrl,
    next_snapshot_start,
    snapshot_start: timestamp(current?.start ?? last.start),
    snapshot_url: current?.url ?? lastUrl,
  };
  return status;
}

function recordedOnly(endpoint: string): string {
  return `the emulator does not connect to clouds: without ${endpoint}, snapshots are only recorded; see GET /emulator/v1/snapshots`;
}

type LoadedStatus = Pick<
  SnapshotStatus,
  'loaded_snapshot_id' | 'loaded_snapshot_status' | 'loaded_snapshot_expires_at' | 'loading_error'
>;

/**
 * Returns the fields of the status about a snapshot that was loaded from the configuration's
 * storage.
 */
function loadedStatus(loaded: LoadedSnapshots, name: string): LoadedStatus {
  const snapshot = loaded.ids().map((id) => loaded.describe(id))[0];
  if (snapshot?.auto_config_name !== name) return {};
  return {
    loaded_snapshot_id: snapshot.snapshot_id,
    loaded_snapshot_status: snapshot.status,
    loaded_snapshot_expires_at: snapshot.expires_at,
    ...(snapshot.error !== undefined && { loading_error: snapshot.error }),
  };
}
