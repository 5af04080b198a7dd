import { AUDIT_DEVICES } from './objects/audit-devices';
import { AUTO_SNAPSHOTS } from './objects/auto-snapshots';
import { MANAGED_KEYS } from './objects/managed-keys';

/** The kinds of objects that are shown of a cluster, in this order. */
export const OBJECTS = [MANAGED_KEYS, AUTO_SNAPSHOTS, AUDIT_DEVICES] as const;

/** The states of the objects of a cluster, by kind. What could not be read, or is not to be shown, is absent. */
export type ObjectStates = {
  readonly [Kind in (typeof OBJECTS)[number] as Kind['key']]?: Awaited<ReturnType<Kind['read']>>;
};
