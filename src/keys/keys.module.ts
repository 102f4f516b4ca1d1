import { RateLimitsModule } from '../rate-limits/index.js';
import { AccessModule } from '../access/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { StorageModule } from '../storage/index.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { ProjectsModule } from '../projects/index.js';
import { TeamsModule } from '../teams/index.js';
import { UsersModule } from '../users/index.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { KeyAdministration } from './key-administration.service.js';
import { KeyLimits } from './key-limits.js';
import { KeyCallers } from './key-caller.js';
import { ExchangedKeys } from './exchanged-keys.repository.js';
import { KeyRevocations } from './key-revocations.js';
import { KeyUsage } from './key-usage.js';
import { KeyVerifier } from './key-verifier.js';
import { KeyViews } from './key-views.js';
import { KeysController } from './keys.controller.js';
import { KeysRepository } from './keys.repository.js';
import { KeysService } from './keys.service.js';
import { KeysOfMembers } from './member-keys.adapter.js';
import { CallersOfUsers } from './recent-callers.adapter.js';
import { VerifiedKeyLoader } from './verified-key.loader.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKeyEntity]),
    AuditModule,
    UsersModule,
    TeamsModule,
    ProjectsModule,
    RateLimitsModule,
    AccessModule,
    IdempotencyModule,
    StorageModule,
  ],
  controllers: [KeysController],
  providers: [
    CallersOfUsers,
    KeysOfMembers,
    KeyLimits,
    ExchangedKeys,
    KeyAdministration,
    KeyCallers,
    KeyRevocations,
    KeysRepository,
    KeysService,
    KeyUsage,
    KeyVerifier,
    KeyViews,
    VerifiedKeyLoader,
  ],
  exports: [ExchangedKeys, KeyAdministration, KeyRevocations, KeysService, KeyUsage, KeyVerifier],
})
export class KeysModule {}
