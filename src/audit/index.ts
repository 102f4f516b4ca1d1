export { AccessChanges } from './access-changes.js';
export { type Actor, type AuditAction, type AuditEvent, OPERATOR } from './audit-entry.js';
export { AuditEntryEntity } from './audit-entry.entity.js';
export { AuditModule } from './audit.module.js';
export { AuditTrail } from './audit-trail.js';
