export { DEFAULT_CLUSTER, resolveConfiguration, variablePrefix } from './resolve';
export { CONFIGURATION_SCHEMA, type ClusterConfiguration, type Configuration } from './schema';
export type { ClusterSettings, LoginSettings } from './provider-settings';
