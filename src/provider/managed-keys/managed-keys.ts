import type { ObjectsOfProvider } from '../objects';
import { MANAGED_KEY_DATA_SOURCE, MANAGED_KEYS_DATA_SOURCE, MANAGED_KEYS_LIST } from './data-sources';
import { MANAGED_KEY_RESOURCE } from './managed-key-resource';

/** The provider's resources for managed keys: `/sys/managed-keys`. */
export const MANAGED_KEYS: ObjectsOfProvider = {
  resources: [MANAGED_KEY_RESOURCE],
  listResources: [MANAGED_KEYS_LIST],
  dataSources: [MANAGED_KEY_DATA_SOURCE, MANAGED_KEYS_DATA_SOURCE],
};
