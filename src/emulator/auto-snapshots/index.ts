export { SnapshotAgent } from './agent';
export { type Snapshot, SnapshotError, type SnapshotMeta, readSnapshot, restoreSnapshot } from './archive';
export { snapshotActions } from './control';
export { snapshotRootPaths, snapshotRoutes } from './routes';
