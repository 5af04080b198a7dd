export { DEFAULT_CLUSTER, resolveConfiguration } from './resolve';
export { CONFIGURATION_SCHEMA, type ClusterConfiguration, type Configuration } from './schema';
export type { ClusterSettings, LoginSettings } from './settings';
