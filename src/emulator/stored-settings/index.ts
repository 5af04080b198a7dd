export {
  fullPath,
  OWN_SETTINGS_PREFIX,
  storedSettingRoutes,
  STORED_SETTINGS_ROOT_PATHS,
  storedSettingsOf,
} from './routes';
