import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
import { InvitationEntity } from './invitation.entity.js';
import { TeamEntity } from './team.entity.js';

@Injectable()
export class InvitationsRepository {
  constructor(
    @InjectRepository(InvitationEntity) private readonly invitations: Repository<InvitationEntity>,
  ) {}

  findOpen(teamId: string, id: string, now: string): Promise<InvitationEntity | null> {
    return this.open(now).andWhere('i.id = :id AND i.teamId = :teamId', { id, teamId }).getOne();
  }

  findOpenByHash(hash: string, now: string): Promise<InvitationEntity | null> {
    return this.open(now).andWhere('i.hash = :hash', { hash }).getOne();
  }

  findOpenOfEmail(email: string, id: string, now: string): Promise<InvitationEntity | null> {
    return this.open(now).andWhere('i.id = :id AND i.email = :email', { id, email }).getOne();
  }

  /** @param of the inviting team, or the invited address */
  async listOpen(
    of: { readonly teamId: string } | { readonly email: string },
    now: string,
    place: IdPlace,
  ): Promise<PageRows<InvitationEntity>> {
    const query = this.open(now).andWhere('teamId' in of ? 'i.teamId = :teamId' : 'i.email = :email', of);
    return pageById(query, place);
  }

  insert(invitation: InvitationEntity): Statement {
    return insertStatement(this.invitations, invitation);
  }

  delete(id: string, orFail: () => Error): Statement {
    return deleteStatement(this.invitations, { id, acceptedAt: null }, { orFail });
  }

  /** Revokes the open invitations of an email address to a team. */
  deleteOfEmail(teamId: string, email: string): Statement {
    return deleteStatement(this.invitations, { teamId, email, acceptedAt: null });
  }

  /** Revokes the open invitations to a team that a person sent. */
  deleteByInviter(teamId: string, userId: string): Statement {
    return deleteStatement(this.invitations, { teamId, invitedBy: userId, acceptedAt: null });
  }

  /**
   * Marks an open invitation as accepted.
   *
   * @param orFail returns the error to throw if the invitation was accepted, revoked or expired in the meantime
   */
  markAccepted(id: string, now: string, orFail: () => Error): Statement {
    return updateStatement(
      this.invitations,
      { acceptedAt: now },
      ['id = :id AND accepted_at IS NULL AND expires_at > :now', { id, now }],
      { orFail },
    );
  }

  private open(now: string): SelectQueryBuilder<InvitationEntity> {
    return this.invitations
      .createQueryBuilder('i')
      .innerJoin(TeamEntity, 'team', 'team.id = i.teamId AND team.deletedAt IS NULL')
      .where('i.acceptedAt IS NULL AND i.expiresAt > :now', { now });
  }
}
