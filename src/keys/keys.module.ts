import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { ProjectsModule } from '../projects/index.js';
import { RateLimitsModule } from '../rate-limits/index.js';
import { MemberKeys, TeamsModule } from '../teams/index.js';
import { RecentCallers, UsersModule } from '../users/index.js';
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

/** Global, since users and teams, who stand below, ask it about their keys through ports of theirs. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKeyEntity]),
    AuditModule,
    RateLimitsModule,
    UsersModule,
    TeamsModule,
    ProjectsModule,
  ],
  controllers: [KeysController],
  providers: [
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
    { provide: MemberKeys, useClass: KeysOfMembers },
    { provide: RecentCallers, useClass: CallersOfUsers },
  ],
  exports: [ExchangedKeys, KeyRevocations, KeysService, KeyUsage, KeyVerifier, MemberKeys, RecentCallers],
})
export class KeysModule {}
