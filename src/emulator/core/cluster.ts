import type { ServerFlavour } from './backend';
import type { MovableClock } from './clock';
import type { MountTable } from './mounts';
import type { NamespaceStore } from './namespaces';
import type { Storage } from './storage';

/** One emulated cluster: what its `sys` routes work on. */
export interface Cluster {
  readonly name: string;
  readonly server: ServerFlavour;
  readonly clock: MovableClock;
  readonly storage: Storage;
  readonly namespaces: NamespaceStore;
  readonly mounts: MountTable;
}
