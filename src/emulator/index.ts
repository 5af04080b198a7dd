export {
  type Assume,
  type Assumption,
  type AssumptionName,
  ASSUMPTIONS,
  ASSUMPTIONS_BY_TOPIC,
} from './assume';
export { readSnapshot, type Snapshot, SnapshotError, type SnapshotMeta } from './auto-snapshots';
export type { ActiveFault, Fault, Faults } from './control/faults';
export type { LoggedRequest, RequestFilter, RequestLog } from './control/request-log';
export type { MovableClock } from './core/primitives/clock';
export { DEFAULT_SERVER_VERSION, serverFlavour } from './core/flavour';
export { type NetworkState, ReplicationControl } from './replication/control';
export type { Lag } from './replication/network';
export { type CrashStep, CRASH_STEPS } from './replication/steps';
export type { ClusterNode, ClusterNodes } from './nodes/cluster-nodes';
export { type Emulator, type EmulatorOptions, type RunningCluster, startEmulator } from './emulator';
export { type Seed, SeedError, type SeedSet, type SeedWrite } from './seed';
export type { KeyStores } from './managed-keys';
export {
  type S3Credentials,
  type S3Object,
  type S3Server,
  type S3ServerOptions,
  startS3Server,
} from './object-stores';
