import type { ObjectsOfProvider } from '../objects';
import { autoSnapshotDataSource, autoSnapshotsDataSource } from './data-sources';
import { autoSnapshotResource } from './resource';
import { autoSnapshotStatusDataSource } from './status';

/** What the provider has for automated snapshots: `/sys/storage/raft/snapshot-auto`. */
export const AUTO_SNAPSHOTS: ObjectsOfProvider = {
  resources: [autoSnapshotResource],
  dataSources: [autoSnapshotDataSource, autoSnapshotsDataSource, autoSnapshotStatusDataSource],
};
