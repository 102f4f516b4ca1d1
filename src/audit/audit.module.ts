import { AccessModule } from '../access/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessChanges } from './access-changes.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditExport } from './audit-export.js';
import { AuditLog } from './audit-log.service.js';
import { AuditSealEntity } from './audit-seal.entity.js';
import { AuditSealer } from './audit-sealer.js';
import { AuditSealsRepository } from './audit-seals.repository.js';
import { AuditVerification } from './audit-verification.js';
import { AuditTrail } from './audit-trail.js';
import { PeopleNames } from './people-names.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AuditEntryEntity, AuditSealEntity]),
    AccessModule,
    IdempotencyModule,
    StorageModule,
  ],
  controllers: [AuditController],
  providers: [
    AccessChanges,
    AuditExport,
    AuditLog,
    AuditRepository,
    AuditSealer,
    AuditSealsRepository,
    AuditTrail,
    AuditVerification,
    PeopleNames,
  ],
  exports: [AccessChanges, AuditTrail, PeopleNames],
})
export class AuditModule {}
