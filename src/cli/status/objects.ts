import { AUDIT_DEVICES, type AuditDeviceState } from './objects/audit-devices';
import { AUTO_SNAPSHOTS, type SnapshotState } from './objects/auto-snapshots';
import { MANAGED_KEYS, type KeyState } from './objects/managed-keys';

/** The kinds of objects that are shown of a cluster, in this order. */
export const OBJECTS = [MANAGED_KEYS, AUTO_SNAPSHOTS, AUDIT_DEVICES] as const;

/**
 * The states of the objects of a cluster, by kind. Objects that could not be read, or are hidden,
 * are absent.
 */
export interface ObjectStates {
  readonly managed_keys?: readonly KeyState[] | undefined;
  readonly auto_snapshots?: readonly SnapshotState[] | undefined;
  readonly audit_devices?: readonly AuditDeviceState[] | undefined;
}
