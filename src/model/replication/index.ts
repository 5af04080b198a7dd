export { modesOfCall } from './call-modes';
export {
  PERFORMANCE_PATH,
  replicationCalls,
  type CallAccess,
  type ReplicationCall,
  type ReplicationCallName,
} from './calls';
export {
  dynamicFilter,
  pathsFilter,
  replicationPrimary,
  replicationSecondary,
  replicationStatus,
  secondaryPublicKey,
  secondaryToken,
} from './definitions';
export { DEFAULT_TOKEN_TTL, FILTER_MODES, PUBLIC_KEYS_SINCE, type FilterMode } from './fields';
export {
  normalizeFilterPath,
  sameFilterPaths,
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
export { TOKEN_STATES, tokenLife, type TokenState, type TokenStep } from './token-life';
export { replicationTransitions, transitionOf, type ClusterIdEffect, type Transition } from './transitions';
export { REPLICATION_WARNINGS } from './warnings';
