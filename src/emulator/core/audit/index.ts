export { AUDIT_STORAGE_PREFIX, type StoredAuditDevice, AuditDevices } from './devices';
export { AuditTrail } from './trail';
