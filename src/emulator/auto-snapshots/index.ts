export { SnapshotAgent } from './agent';
export {
  LONGEST_SNAPSHOT,
  type Snapshot,
  SnapshotError,
  type SnapshotMeta,
  readSnapshot,
  restoreSnapshot,
} from './archive';
export { snapshotLoadRoutes } from './load-routes';
export { raftSnapshotRoutes } from './raft-routes';
export { SNAPSHOT_ACTIONS } from './records';
export { snapshotStatus } from './status';
export { SNAPSHOT_ROOT_PATHS, snapshotRoutes } from './auto-snapshot-routes';
