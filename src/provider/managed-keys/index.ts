export { managedKeyDataSource, managedKeysDataSource } from './data-sources';
export { managedKeyResource } from './resource';
