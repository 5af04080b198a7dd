export { AUDIT_STORAGE_PREFIX, type AuditDevice, AuditDevices } from './devices';
export { AuditTrail } from './trail';
