import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/index.js';
import { InvitationEntity } from './invitation.entity.js';
import { TeamEntity } from './team.entity.js';
import { TeamMemberEntity } from './team-member.entity.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TeamEntity, TeamMemberEntity, InvitationEntity]), UsersModule],
  providers: [TeamsRepository, TeamsService],
  exports: [TeamsService],
})
export class TeamsModule {}
