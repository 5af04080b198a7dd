import { ifOffered, unlessDenied } from '../../clusters/clients';
import { objectStatus } from './object-status';

/** An audit device with its fields, as in `vaultadmin_audit_device`. */
export interface AuditDeviceState {
  readonly path: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Servers show them in the root namespace, to tokens with sudo. A token without it receives none of
 * them.
 */
export const AUDIT_DEVICES = objectStatus({
  key: 'audit_devices',
  title: 'audit devices',

  read: async ({ client }): Promise<readonly AuditDeviceState[] | undefined> => {
    const devices = await ifOffered(unlessDenied(client.auditDevices.readAll()));
    return devices?.data.map((device) => ({ ...device }));
  },

  line: ({ path, type }: AuditDeviceState) => `audit device ${path}: ${type}`,

  problems: () => [],
});
