export { AZURE_AUTH_MODES, type AzureAuthMode } from './azure-blob';
export { decodeAutoSnapshot } from './decode';
export { SNAPSHOT_STORAGE_TYPES, type SnapshotStorageTypeName } from './fields';
export { snapshotHealth, type SnapshotHealth, type SnapshotHealthOptions } from './health';
export {
  decodeLoadedSnapshot,
  SNAPSHOT_LOAD,
  SNAPSHOT_LOAD_SINCE,
  LARGEST_SNAPSHOT,
  SNAPSHOT_LOAD_TIMEOUTS,
  type LoadedSnapshot,
} from './loaded';
export { decodeSnapshotStatus, type SnapshotStatus } from './status';
export type { AutoSnapshotBackend } from './auto-snapshot-backend';
export {
  AUTO_SNAPSHOT,
  AUTO_SNAPSHOT_BACKENDS,
  autoSnapshotOf,
  validateAutoSnapshot,
  type AutoSnapshotValues,
} from './auto-snapshot';
export { AUTO_SNAPSHOT_LOAD_PATH, SNAPSHOT_STATUS_PATH } from '../paths';
