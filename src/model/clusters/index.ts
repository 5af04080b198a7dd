export { clusterNameProblem, clusterOfAddressVariable, environmentPrefix } from './cluster-name';
export {
  AUTH_LOGIN,
  CLUSTER_ARGUMENTS,
  CLUSTER_CONNECTION,
  CLUSTER_SETTINGS,
  clusterSettingProblem,
  clusterSettingValue,
  isSecretParameter,
  type ClusterSetting,
  type ClusterSettingName,
  type ClusterSettingValues,
  type GivenSetting,
} from './cluster-settings';
export { parseRate, USUAL_CURE } from './setting-problems';
export { isThisMachine } from './this-machine';
