export { SnapshotAgent } from './agent';
export { type Snapshot, SnapshotError, type SnapshotMeta, readSnapshot } from './archive';
export { snapshotActions } from './control';
export { snapshotRootPaths, snapshotRoutes } from './routes';
