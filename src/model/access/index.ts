export { accessFor, type Access, type ApiCall } from './api-call';
export { HELD_KINDS, KINDS_IN_NAMESPACES, type HeldKind } from './held-data';
export { AUDIT_HASH_CALL, AUTO_SNAPSHOT_CALLS, MANAGED_KEY_CALLS, managing } from './object-calls';
export {
  DATA_SOURCE_CALLS,
  EPHEMERAL_RESOURCE_CALLS,
  replicationCall,
  RESOURCE_CALLS,
  SET_JOINING_CALLS,
  SET_MEMBER_CALLS,
  SWITCHOVER_CALLS,
  SET_SECONDARY_CALLS,
  accessToCall,
  type ResourceCall,
} from './resource-calls';
