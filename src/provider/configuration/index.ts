export { DEFAULT_CLUSTER, resolveConfiguration } from './resolve';
export { environmentPrefix } from './environment';
export { configurationSchema, type Configuration } from './schema';
export type { ClusterSettings, LoginSettings } from './settings';
