import type { ObjectsOfProvider } from '../objects';
import { RECOVERED_SECRET_EPHEMERAL_RESOURCE } from './recovered-secret';
import { SNAPSHOT_LOAD_RESOURCE } from './snapshot-load-resource';

/** The provider's resources for loaded snapshots: `/sys/storage/raft/snapshot-load`. */
export const LOADED_SNAPSHOTS: ObjectsOfProvider = {
  resources: [SNAPSHOT_LOAD_RESOURCE],
  dataSources: [],
  ephemeralResources: [RECOVERED_SECRET_EPHEMERAL_RESOURCE],
};
