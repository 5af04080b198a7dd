import type { Caller } from '../call/caller';
import { PerformanceReplicationCalls, type Replication } from '../replication';
import { AuditDeviceCalls } from './audit-devices';
import { AutoSnapshotCalls } from './auto-snapshots';
import { LoadedSnapshotCalls } from './loaded-snapshots';
import { ManagedKeyCalls } from './managed-keys';
import { NamespaceCalls } from './namespaces';

/**
 * The calls on all objects except policies. Most processes need none of them, so a client loads
 * this file on first use.
 */
export class FurtherCalls {
  readonly managedKeys: ManagedKeyCalls;
  readonly auditDevices: AuditDeviceCalls;
  readonly autoSnapshots: AutoSnapshotCalls;
  readonly loadedSnapshots: LoadedSnapshotCalls;
  readonly namespaces: NamespaceCalls;
  readonly replication: Replication;

  constructor(caller: Caller) {
    this.managedKeys = new ManagedKeyCalls(caller);
    this.auditDevices = new AuditDeviceCalls(caller);
    this.autoSnapshots = new AutoSnapshotCalls(caller);
    this.loadedSnapshots = new LoadedSnapshotCalls(caller);
    this.namespaces = new NamespaceCalls(caller);
    this.replication = { performance: new PerformanceReplicationCalls(caller) };
  }
}
