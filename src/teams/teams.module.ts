import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { RateLimitsModule } from '../rate-limits/index.js';
import { UsersModule, UserTeams } from '../users/index.js';
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

/** Global, since users, who stand below, ask it about their teams through a port of theirs. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([TeamEntity, TeamMemberEntity, InvitationEntity]),
    AuditModule,
    RateLimitsModule,
    UsersModule,
  ],
  controllers: [TeamsController, MembersController],
  providers: [
    InvitationsRepository,
    InvitationsService,
    MembersService,
    ReceivedInvitations,
    TeamAdministration,
    TeamPlans,
    TeamReach,
    TeamsRepository,
    TeamsService,
    { provide: UserTeams, useClass: TeamsOfUsers },
  ],
  exports: [InvitationsService, ReceivedInvitations, TeamPlans, TeamsService, UserTeams],
})
export class TeamsModule {}
