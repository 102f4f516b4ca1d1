export { AccessChanges } from './access-changes.js';
export { type Actor, type AuditAction, type AuditEvent, OPERATOR } from './audit-entry.js';
export { AuditEntryEntity } from './audit-entry.entity.js';
export { AuditSealEntity } from './audit-seal.entity.js';
export { AuditSealer } from './audit-sealer.js';
export { AuditVerification } from './audit-verification.js';
export { AuditModule } from './audit.module.js';
export { AuditTrail } from './audit-trail.js';
