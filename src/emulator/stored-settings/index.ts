export { areGroupsForAllNamespaces } from './group-policies';
export { OIDC_UNAUTHENTICATED_PATHS, oidcDiscoveryRoutes } from './oidc-discovery';
export { fullPath, storedSettingRoutes, STORED_SETTINGS_ROOT_PATHS, storedSettingsOf } from './routes';
export { OWN_SETTINGS_PREFIX } from './stored';
