import type { ObjectsOfProvider } from '../objects';
import { managedKeyDataSource, managedKeysDataSource } from './data-sources';
import { managedKeyResource } from './resource';

/** What the provider has for managed keys: `/sys/managed-keys`. */
export const MANAGED_KEYS: ObjectsOfProvider = {
  resources: [managedKeyResource],
  dataSources: [managedKeyDataSource, managedKeysDataSource],
};
