export { PerformanceReplicationCalls, type Replication } from './replication-calls';
export type {
  DynamicFilter,
  EnablePrimaryFields,
  EnableSecondaryFields,
  EncryptedSecondaryToken,
  PathsFilterFields,
  PrimaryContact,
  PromoteSecondaryFields,
  SecondaryToken,
  SecondaryTokenFields,
  StoredPathsFilter,
  UpdatePrimaryFields,
  WrappedSecondaryToken,
} from './call-fields';
export {
  describeReplicationStatus,
  hasCaughtUp,
  haveSameData,
  isStreaming,
  rootOf,
  type ReplicationConnection,
  type ReplicationInBetween,
  type ReplicationOff,
  type ReplicationPrimaryStatus,
  type ReplicationSecondaryConnection,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
  type ReplicationSyncProgress,
} from '../../model/replication/status';
export { isNotYet, type WaitOptions, type WaitProgress } from './wait';
