import type { AutoSnapshot, AutoSnapshotFields } from '../../client';
import { AUTO_SNAPSHOT, type ObjectIdentity } from '../../model';
import { callsOn, StoredObject, subjectOf, type RequestContext } from '../objects';

/** One configuration of automated snapshots on its cluster. */
export function storedSnapshot(
  identity: ObjectIdentity,
  context: RequestContext,
): StoredObject<AutoSnapshot, Partial<AutoSnapshotFields>> {
  return new StoredObject(identity, subjectOf(AUTO_SNAPSHOT, identity), context, ({ autoSnapshots }) =>
    callsOn(autoSnapshots, identity.name),
  );
}
