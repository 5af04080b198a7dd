export { autoSnapshotDataSource, autoSnapshotsDataSource } from './data-sources';
export { autoSnapshotResource } from './resource';
export { autoSnapshotStatusDataSource } from './status';
