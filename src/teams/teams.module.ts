import { RateLimitsModule } from '../rate-limits/index.js';
import { AccessModule } from '../access/index.js';
import { IdempotencyModule } from '../idempotency/index.js';
import { StorageModule } from '../storage/index.js';
import { TeamContents } from './team-contents.js';
import { MemberKeys } from './member-keys.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { UsersModule } from '../users/index.js';
import { InvitationEntity } from './invitation.entity.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { ReceivedInvitations } from './received-invitations.js';
import { TeamAdministration } from './team-administration.service.js';
import { TeamEntity } from './team.entity.js';
import { TeamMemberEntity } from './team-member.entity.js';
import { TeamPlans } from './team-plans.js';
import { TeamReach } from './team-reach.js';
import { TeamsController } from './teams.controller.js';
import { TeamsOfUsers } from './user-teams.adapter.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([TeamEntity, TeamMemberEntity, InvitationEntity]),
    AuditModule,
    UsersModule,
    RateLimitsModule,
    AccessModule,
    IdempotencyModule,
    StorageModule,
  ],
  controllers: [TeamsController, MembersController],
  providers: [
    MemberKeys,
    TeamContents,
    TeamsOfUsers,
    InvitationsRepository,
    InvitationsService,
    MembersService,
    ReceivedInvitations,
    TeamAdministration,
    TeamPlans,
    TeamReach,
    TeamsRepository,
    TeamsService,
  ],
  exports: [MemberKeys, TeamContents, InvitationsService, ReceivedInvitations, TeamPlans, TeamsService],
})
export class TeamsModule {}
