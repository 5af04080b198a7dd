import { ifOffered, unlessDenied } from '../../clusters/clients';
import { objectStatus } from './object-status';

/** Servers show them in the root namespace, to tokens with sudo. A token without it is told nothing of them. */
export const AUDIT_DEVICES = objectStatus({
  key: 'audit_devices',
  title: 'audit devices',

  read: async ({ client }) => (await ifOffered(unlessDenied(client.auditDevices.readAll())))?.data,

  line: ({ path, type }) => `audit device ${path}: ${type}`,

  problems: () => [],
});
