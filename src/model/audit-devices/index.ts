export { AUDIT_DEVICE, type AuditDeviceBackend, type AuditDeviceValues } from './audit-device';
export {
  AUDIT_DEVICE_FIELDS,
  AUDIT_DEVICE_TYPES,
  DEFAULT_SYSLOG_FACILITY,
  type AuditDeviceTypeName,
} from './fields';
export { decodeAuditDevice, encodeAuditDevice } from './wire';
