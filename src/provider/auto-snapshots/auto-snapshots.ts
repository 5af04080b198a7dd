import { findAutoSnapshots } from '../../inventory';
import {
  listDataSource,
  storedDataSource,
  storedListResource,
  storedResource,
  type ObjectsOfProvider,
} from '../objects';
import { AUTO_SNAPSHOT_KIND, AUTO_SNAPSHOT_SHOWN } from './auto-snapshot-resource';
import { AUTO_SNAPSHOT_STATUS_DATA_SOURCE } from './auto-snapshot-status';

/** The provider's resources for automated snapshots: `/sys/storage/raft/snapshot-auto`. */
export const AUTO_SNAPSHOTS: ObjectsOfProvider = {
  resources: [storedResource(AUTO_SNAPSHOT_KIND)],
  listResources: [storedListResource({ ...AUTO_SNAPSHOT_KIND, find: findAutoSnapshots })],
  dataSources: [
    storedDataSource({ ...AUTO_SNAPSHOT_KIND, ...AUTO_SNAPSHOT_SHOWN }),
    listDataSource(AUTO_SNAPSHOT_KIND, ({ autoSnapshots }, options) => autoSnapshots.list(options)),
    AUTO_SNAPSHOT_STATUS_DATA_SOURCE,
  ],
};
