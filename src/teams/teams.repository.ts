import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { defined } from '../platform/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
import { UserEntity } from '../users/index.js';
import { TeamEntity } from './team.entity.js';
import { TeamMemberEntity } from './team-member.entity.js';

const NOT_ONLY_OWNER =
  'team_id = :teamId AND user_id = :userId' +
  " AND (role <> 'owner' OR EXISTS (SELECT 1 FROM team_members o" +
  " WHERE o.team_id = :teamId AND o.user_id <> :userId AND o.role = 'owner'))";

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

  /**
   * Returns whether a team has a member with the given email address. One statement joins members and users, so that
   * the response time does not reveal whether the address has an account.
   */
  hasMemberOfEmail(teamId: string, email: string): Promise<boolean> {
    return this.members
      .createQueryBuilder('member')
      .innerJoin(UserEntity, 'user', 'user.id = member.userId')
      .where('member.teamId = :teamId AND user.email = :email', { teamId, email })
      .getExists();
  }

  /** Returns the memberships of the given users in teams that are not deleted, the oldest membership first. */
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

  /** Returns the oldest membership with the role of owner in a team that is not deleted, or null. */
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
    return insertStatement(this.teams, team);
  }

  async listMembers(teamId: string, place: IdPlace): Promise<PageRows<TeamMemberEntity>> {
    const query = this.members.createQueryBuilder('member').where('member.teamId = :teamId', { teamId });
    return pageById(query, place, { column: 'userId' });
  }

  rename(
    { id, name, updatedAt }: Pick<TeamEntity, 'id' | 'name' | 'updatedAt'>,
    readUpdatedAt: string,
    orFail: () => Error,
  ): Statement {
    return updateStatement(
      this.teams,
      { name, updatedAt },
      { id, deletedAt: null, updatedAt: readUpdatedAt },
      { orFail },
    );
  }

  setPlan(
    { id, plan, updatedAt }: Pick<TeamEntity, 'id' | 'plan' | 'updatedAt'>,
    readUpdatedAt: string,
    orFail: () => Error,
  ): Statement {
    return updateStatement(
      this.teams,
      { plan, updatedAt },
      { id, deletedAt: null, updatedAt: readUpdatedAt },
      { orFail },
    );
  }

  /**
   * Marks a team as deleted.
   *
   * @param orFail returns the error to throw if the user is a member of no other team, or the team is already deleted
   */
  markDeleted(id: string, now: string, userId: string, orFail: () => Error): Statement {
    const hasAnotherTeam =
      'EXISTS (SELECT 1 FROM team_members m JOIN teams t ON t.id = m.team_id' +
      ' WHERE m.user_id = :userId AND m.team_id <> :id AND t.deleted_at IS NULL)';
    return updateStatement(
      this.teams,
      { deletedAt: now, updatedAt: now },
      [`id = :id AND deleted_at IS NULL AND ${hasAnotherTeam}`, { id, userId }],
      { orFail },
    );
  }

  insertMember(member: TeamMemberEntity, onDuplicate?: () => Error): Statement {
    return insertStatement(this.members, member, defined({ onDuplicate }));
  }

  /**
   * Returns a statement that changes nothing, but makes the commit fail if a user does not have the given
   * role in the team.
   */
  requireRole({ teamId, userId, role }: Omit<TeamMemberEntity, 'createdAt'>, orFail: () => Error): Statement {
    return updateStatement(this.members, { role }, { teamId, userId, role }, { orFail });
  }

  /**
   * Changes a member's role. Fails if the member is the team's only owner.
   * Changes of access commit one after another, so two owners cannot both give up the role at the same time.
   */
  changeRole({ teamId, userId, role }: TeamMemberEntity, orFail: () => Error): Statement {
    return updateStatement(this.members, { role }, [NOT_ONLY_OWNER, { teamId, userId }], { orFail });
  }

  /** Removes a member from a team. Fails if the member is the team's only owner. */
  deleteMember({ teamId, userId }: TeamMemberEntity, orFail: () => Error): Statement {
    return deleteStatement(this.members, [NOT_ONLY_OWNER, { teamId, userId }], { orFail });
  }
}
