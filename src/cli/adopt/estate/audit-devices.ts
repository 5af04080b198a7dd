import { AUDIT_DEVICE, backendOfType } from '../../../model';
import { isDeclarable } from './declarable';
import type { FoundAuditDevice } from './found';
import type { Place } from './place';

/**
 * The audit devices of a cluster. They are in the root namespace.
 *
 * @param localOnly whether the others come from the primary, and are adopted there.
 */
export async function readAuditDevices(
  place: Place,
  localOnly: boolean,
): Promise<readonly FoundAuditDevice[]> {
  const { cluster, namespace, client } = place;
  if (client.namespace !== '') return [];
  const devices = await place.attempt(`${AUDIT_DEVICE.title}s`, AUDIT_DEVICE, () =>
    client.auditDevices.readAll(),
  );
  return (devices?.data ?? []).flatMap(({ path, type, ...fields }) => {
    if (localOnly && fields.local !== true) return [];
    const backend = backendOfType(AUDIT_DEVICE, type);
    if (!backend || !isDeclarable(backend.definition, { ...fields, path, name: path }, place)) return [];
    return [{ identity: { cluster, namespace, name: path }, backend, fields }];
  });
}
