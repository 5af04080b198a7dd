import { findAuditDevices } from '../../../inventory';
import {
  AUDIT_DEVICE,
  backendOfType,
  encodeAuditDevice,
  parseDuration,
  type AuditDeviceBackend,
} from '../../../model';
import { CodeExpression } from '../app/code';
import { adoptedKind, type AdoptedObject } from './kind';
import { propsOf } from './props';

/** An audit device. Its name is its path. */
interface FoundAuditDevice extends AdoptedObject {
  readonly backend: AuditDeviceBackend;
}

const TITLE = `${AUDIT_DEVICE.title}s`;

/** The audit devices of a cluster, which are in its root namespace. */
export const AUDIT_DEVICES = adoptedKind<FoundAuditDevice>({
  definition: AUDIT_DEVICE,
  title: TITLE,
  prefix: 'audit',
  construct: 'AuditDevice',
  fromPrimary: false,

  async read(place, { replicated }) {
    const { cluster, namespace, client } = place;
    if (client.namespace !== '') return [];
    const devices = await place.attempt(TITLE, AUDIT_DEVICE, () => findAuditDevices(client));
    return (devices?.data ?? []).flatMap(({ device: { path, type, ...fields } }) => {
      // The other devices come from the primary, from which they are adopted.
      if (replicated && fields.local !== true) return [];
      const backend = backendOfType(AUDIT_DEVICE, type);
      return backend ? [{ identity: { cluster, namespace, name: path }, backend, fields }] : [];
    });
  },

  declare: ({ identity: { name }, backend, fields }) => ({
    props: {
      path: name,
      ...propsOf(AUDIT_DEVICE.fields, fields),
      log: CodeExpression.call(
        'AuditLog',
        backend.type,
        propsOf(backend.fields, fields, { written: { write_timeout: inSeconds } }),
      ),
    },
  }),

  body: (_found, values) => encodeAuditDevice(values),
});

function inSeconds(duration: unknown): CodeExpression {
  return CodeExpression.call('Duration', 'seconds', parseDuration(String(duration)));
}
