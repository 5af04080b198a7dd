import type { ObjectsOfProvider } from '../objects';
import { DYNAMIC_FILTER_DATA_SOURCE } from './dynamic-filter';
import { REPLICATION_LISTS } from './lists';
import { PATHS_FILTER_RESOURCE } from './paths-filter';
import { REPLICATION_PRIMARY_RESOURCE } from './primary/primary-resource';
import { PUBLIC_KEY_EPHEMERAL_RESOURCE } from './public-key';
import { SECONDARY_TOKEN_EPHEMERAL_RESOURCE } from './secondary-token';
import { REPLICATION_SECONDARY_RESOURCE } from './secondary/secondary-resource';
import { REPLICATION_SET_RESOURCE } from './set/resource';
import { REPLICATION_STATUS_DATA_SOURCE } from './replication-status';

/** The provider's resources for performance replication: `/sys/replication/performance`. */
export const REPLICATION: ObjectsOfProvider = {
  resources: [
    REPLICATION_PRIMARY_RESOURCE,
    REPLICATION_SECONDARY_RESOURCE,
    PATHS_FILTER_RESOURCE,
    REPLICATION_SET_RESOURCE,
  ],
  listResources: REPLICATION_LISTS,
  dataSources: [REPLICATION_STATUS_DATA_SOURCE, DYNAMIC_FILTER_DATA_SOURCE],
  ephemeralResources: [SECONDARY_TOKEN_EPHEMERAL_RESOURCE, PUBLIC_KEY_EPHEMERAL_RESOURCE],
};
