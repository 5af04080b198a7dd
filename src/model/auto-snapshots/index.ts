export { AZURE_AUTH_MODES, type AzureAuthMode } from './azure-blob';
export { differingSnapshotFields, emptySnapshotValue, sameSnapshotValue } from './compare';
export { decodeAutoSnapshot } from './decode';
export { SNAPSHOT_STORAGE_TYPES, type SnapshotStorageTypeName } from './fields';
export { snapshotHealth, type SnapshotHealth, type SnapshotHealthOptions } from './health';
export { decodeSnapshotStatus, type SnapshotStatus } from './status';
export { autoSnapshot, SNAPSHOT_STATUS_PATH, type SnapshotStorageType } from './storage-type';
export { autoSnapshotOf, snapshotStorageTypes, validateAutoSnapshot } from './storage-types';
