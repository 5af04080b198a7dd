export { AUDIT_STORAGE_PREFIX, type AuditDevice, AuditDevices } from './devices';
export { AUDIT_ROOT_PATHS, auditRoutes } from './routes';
export { AuditTrail } from './trail';
