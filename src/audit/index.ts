export { AccessChanges } from './access-changes.js';
export { AuditEntryEntity } from './audit-entry.entity.js';
export { type Actor, type AuditEvent, changeEvent, OPERATOR, type ResourceStates } from './audit-entry.js';
export { AuditSealEntity } from './audit-seal.entity.js';
export { AuditTrail } from './audit-trail.js';
export { AuditVerification } from './audit-verification.js';
export { PeopleNames, type PeopleNamesAdapter } from './people-names.js';
export { AuditModule } from './audit.module.js';
