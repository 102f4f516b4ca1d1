import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Statement, statementOf } from '../platform/index.js';
import { TeamEntity } from './team.entity.js';
import { TeamMemberEntity } from './team-member.entity.js';

@Injectable()
export class TeamsRepository {
  constructor(
    @InjectRepository(TeamEntity) private readonly teams: Repository<TeamEntity>,
    @InjectRepository(TeamMemberEntity) private readonly members: Repository<TeamMemberEntity>,
  ) {}

  findById(id: string): Promise<TeamEntity | null> {
    return this.teams
      .createQueryBuilder('team')
      .where('team.id = :id', { id })
      .andWhere('team.deletedAt IS NULL')
      .getOne();
  }

  findByIds(ids: readonly string[]): Promise<readonly TeamEntity[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.teams
      .createQueryBuilder('team')
      .where('team.id IN (:...ids)', { ids })
      .andWhere('team.deletedAt IS NULL')
      .getMany();
  }

  findMember(teamId: string, userId: string): Promise<TeamMemberEntity | null> {
    return this.members
      .createQueryBuilder('member')
      .where('member.teamId = :teamId', { teamId })
      .andWhere('member.userId = :userId', { userId })
      .getOne();
  }

  /** The memberships of some people in teams that still are, oldest first. */
  findMemberships(userIds: readonly string[]): Promise<readonly TeamMemberEntity[]> {
    if (userIds.length === 0) return Promise.resolve([]);
    return this.members
      .createQueryBuilder('member')
      .innerJoin(TeamEntity, 'team', 'team.id = member.teamId AND team.deletedAt IS NULL')
      .where('member.userId IN (:...userIds)', { userIds })
      .orderBy('member.createdAt', 'ASC')
      .addOrderBy('member.teamId', 'ASC')
      .getMany();
  }

  /** The owner who has been one for longest, of any team that still is. */
  findFirstOwner(): Promise<TeamMemberEntity | null> {
    return this.members
      .createQueryBuilder('member')
      .innerJoin(TeamEntity, 'team', 'team.id = member.teamId AND team.deletedAt IS NULL')
      .where('member.role = :role', { role: 'owner' })
      .orderBy('member.createdAt', 'ASC')
      .addOrderBy('member.teamId', 'ASC')
      .limit(1)
      .getOne();
  }

  insert(team: TeamEntity): Statement {
    return statementOf(this.teams.createQueryBuilder().insert().values(team));
  }

  insertMember(member: TeamMemberEntity): Statement {
    return statementOf(this.members.createQueryBuilder().insert().values(member));
  }
}
