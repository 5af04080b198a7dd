export { type Assumption, assumptions } from './assumptions';
export type { ActiveFault, Fault, Faults } from './control/faults';
export type { LoggedRequest, RequestFilter, RequestLog } from './control/request-log';
export type { MovableClock } from './core/clock';
export { defaultServerVersion, serverFlavour } from './core/flavour';
export { type Emulator, type EmulatorOptions, type RunningCluster, startEmulator } from './emulator';
export type { KeyStores } from './managed-keys';
