export {
  REPLICATION_SET,
  REPLICATION_SET_FILTER,
  REPLICATION_SET_SECONDARY,
  REPLICATION_SET_TIMEOUTS,
  TOKEN_DELIVERIES,
  type TokenDelivery,
} from './set';
export {
  PROMOTION_MOUNT,
  PROMOTION_MOUNT_PATH,
  SWITCHOVER_POLICY,
  SWITCHOVER_POLICY_PATH,
  TAKEOVER_POLICY,
  TAKEOVER_POLICY_PATH,
} from './switchover-policies';
export { MOUNTS_PATH } from '../paths';
export { mayLoseDataByUpdatePrimary } from './known-issues';
export {
  type ClusterIdEffect,
  modesOfCall,
  REPLICATION_TRANSITIONS,
  REPLICATION_WARNINGS,
  type Transition,
  transitionOf,
} from './transitions';
export {
  PERFORMANCE_PATH,
  PRIMARY_CONTACT_FIELDS,
  REPLICATION_CALLS,
  type CallAccess,
  type ReplicationCall,
  type ReplicationCallName,
} from './calls';
export {
  DYNAMIC_FILTER,
  PATHS_FILTER,
  REPLICATION_PRIMARY,
  REPLICATION_SECONDARY,
  REPLICATION_STATUS,
  SECONDARY_PUBLIC_KEY,
  SECONDARY_TOKEN,
} from './definitions';
export { DEFAULT_TOKEN_TTL, FILTER_MODES, PUBLIC_KEYS_SINCE, type FilterMode } from './fields';
export {
  normalizeFilterPath,
  sameFilterPaths,
  sendsWholeNamespace,
  UNFILTERABLE_MOUNT_TYPES,
  UNFILTERABLE_PATHS,
} from './filter-path';
export {
  CONNECTION_STATES,
  CONNECTION_STATUSES,
  NEVER_EPOCH,
  OTHER_STATUS_MODES,
  PRIMARY_STATE,
  REPLICATION_MODES,
  SECONDARY_STATES,
  type ConnectionState,
  type ReplicationMode,
  type SecondaryState,
} from './modes';
export { confirmsLossOf } from './set-rules';
export {
  validateSecondaries,
  validateSetFields,
  type SecondaryValues,
  type ReplicationSetFinding,
} from './validate-set';
export { PRIMARY_TIMEOUTS, SECONDARY_TIMEOUTS, timeoutRules } from './timeouts';
